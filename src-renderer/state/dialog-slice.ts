import type { SessionKey } from '#shared/model/keys.ts'

export type OpenDialog =
  | { readonly kind: 'branch'; readonly session: SessionKey; readonly entry: string }
  | { readonly kind: 'fork'; readonly session: SessionKey }
  | { readonly kind: 'label'; readonly session: SessionKey; readonly entry: string }
  | { readonly kind: 'export'; readonly session: SessionKey; readonly entry: string | null }
  /** `dropped`: a folder was dropped on the page of a browser, which does not say where it lies. */
  | { readonly kind: 'folder'; readonly dropped?: boolean }
  /** A link in somebody else's text was chosen. */
  | { readonly kind: 'link'; readonly address: string }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'palette' }
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
