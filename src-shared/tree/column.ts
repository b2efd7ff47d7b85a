/** A column of small integers, one for each entry or row; an index outside of it reads as -1. */
export type Column = Int32Array

export const get = (column: Column, index: number): number => column[index] ?? -1

export function add(column: Column, index: number, amount: number): number {
  return (column[index] = get(column, index) + amount)
}

export function raise(column: Column, index: number, atLeast: number): void {
  if (get(column, index) < atLeast) column[index] = atLeast
}
