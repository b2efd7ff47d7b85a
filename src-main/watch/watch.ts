/** Says that something may have changed; who gets it looks. */
export type Hint =
  | { readonly kind: 'path'; readonly path: string }
  /** Anything below the root. */
  | { readonly kind: 'everything' }

export interface Watch {
  /** Ends when the watch is stopped. */
  readonly hints: AsyncIterable<Hint>
  /** Watches a folder, not what is below it; again where another folder took its name. */
  folder(path: string, inode: number): void
  /** Stops watching a folder that is gone; hints at the root when that is there again. */
  gone(path: string): void
  /** Looks at a file again and again for a while, as a writer that keeps it open may go unseen. */
  hot(path: string): void
}

/** Watches a root until the signal aborts. */
export type StartWatch = (root: string, signal: AbortSignal) => Watch
