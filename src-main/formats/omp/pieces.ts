import type { Piece, SessionView } from '../format.ts'

/** Collects what is copied and what is written; lines that follow each other in the source are one copy. */
export class Pieces {
  readonly #pieces: Piece[] = []
  #from = 0
  #to = -1
  #line = 0
  #file = 0

  copy(view: SessionView, at: number): void {
    const record = view.records.entries[at]
    if (record === undefined) return
    const [offset, length] = record.bytes
    // One byte between two lines can only be a line feed.
    const follows =
      this.#to !== -1 &&
      record.line === this.#line + 1 &&
      record.part === 1 &&
      offset === this.#to + 1 &&
      record.file === this.#file
    if (!follows) {
      this.#flush()
      this.#from = offset
      this.#file = record.file
    }
    this.#to = offset + length
    this.#line = record.line
  }

  text(text: string): void {
    this.#flush()
    const last = this.#pieces.at(-1)
    if (last?.kind === 'text') this.#pieces[this.#pieces.length - 1] = { kind: 'text', text: last.text + text }
    else this.#pieces.push({ kind: 'text', text })
  }

  list(): readonly Piece[] {
    this.#flush()
    return this.#pieces
  }

  #flush(): void {
    if (this.#to === -1) return
    this.#pieces.push({ kind: 'copy', file: this.#file, range: [this.#from, this.#to - this.#from] })
    this.#to = -1
    this.#line = 0
    this.text('\n')
  }
}
