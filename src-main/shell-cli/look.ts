import { styleText } from 'node:util'

type Colour = Parameters<typeof styleText>[0]

/** How to print for people: colours only where they are shown, lines no wider than the terminal. */
export interface Look {
  readonly paint: (colour: Colour, text: string) => string
  /** Columns of the terminal; Infinity where there is none. */
  readonly columns: number
}

export function lookOf(stream: NodeJS.WritableStream & { readonly columns?: number }): Look {
  return { paint: (colour, text) => styleText(colour, text, { stream }), columns: stream.columns ?? Infinity }
}
