/** Rows with every column but the last padded to its widest cell; `right` names the columns that align to the right. */
export function* table(rows: readonly (readonly string[])[], right: readonly number[] = []): Generator<string> {
  const widths: number[] = []
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)))
  for (const row of rows) {
    const cells = row.map((cell, at) => {
      if (right.includes(at)) return cell.padStart(widths[at] ?? 0)
      return at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)
    })
    yield cells.join('  ').trimEnd()
  }
}
