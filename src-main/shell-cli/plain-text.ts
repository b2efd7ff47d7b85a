// C0, DEL, C1, line and paragraph separators, and the marks that turn writing direction:
// a session's text must not move the cursor, colour the screen or look like something else.
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g

/** A session's own text on one line that is safe to print in a terminal. */
export function plainText(text: string): string {
  return text.replaceAll(unprintable, ' ').toWellFormed().trim()
}

/** `text` cut to `width` characters, the last an ellipsis where something is missing. */
export function fit(text: string, width: number): string {
  if (text.length <= width) return text
  const characters = [...text]
  return characters.length <= width
    ? text
    : `${characters
        .slice(0, Math.max(0, width - 1))
        .join('')
        .trimEnd()}…`
}
