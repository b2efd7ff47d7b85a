import type { SessionKey } from '#shared/model/keys.ts'

export type OpenDialog =
  | { readonly kind: 'branch'; readonly session: SessionKey; readonly entry: string }
  | { readonly kind: 'export'; readonly session: SessionKey; readonly entry: string | null }
  | { readonly kind: 'folder' }
  | { readonly kind: 'shortcuts' }
  /** An action that has no place of its own to say what went wrong. */
  | { readonly kind: 'problem'; readonly error: Error }

export interface DialogSlice {
  readonly dialog: OpenDialog | null
  openDialog(dialog: OpenDialog): void
  closeDialog(): void
}

export const dialogSlice = (set: (part: Partial<DialogSlice>) => void): DialogSlice => ({
  dialog: null,
  openDialog: (dialog) => set({ dialog }),
  closeDialog: () => set({ dialog: null })
})
