/** What a piece of code is, as far as a colour tells it; the rest has none. */
export const codeKinds = [
  'constant',
  'string',
  'comment',
  'keyword',
  'function',
  'link',
  'inserted',
  'deleted'
] as const
export type CodeKind = (typeof codeKinds)[number]

export type CodePiece = readonly [text: string, kind: CodeKind | null]
/** Lines of pieces. */
export type Highlighted = readonly (readonly CodePiece[])[]

export interface HighlightRequest {
  readonly id: number
  readonly code: string
  readonly language: string
}

/** `lines` is null where the language is not known. */
export interface HighlightReply {
  readonly id: number
  readonly lines: Highlighted | null
}
