/**
 * Where the names of a list that grows stand in it. The states of one list share one map, as copying it costs more than
 * all else of an append; each of them sees what was there when it was made.
 */
export class NameIndex {
  readonly #places: Map<string, number>
  readonly #count: number
  /** How many names there are. */
  readonly size: number

  constructor(places: Map<string, number>, count: number) {
    this.#places = places
    this.#count = count
    this.size = places.size
  }

  get(name: string): number | undefined {
    const place = this.#places.get(name)
    return place !== undefined && place < this.#count ? place : undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** The index of the list with `count` members; of those of one name the last counts. Only the latest state can be grown. */
  grown(added: readonly (readonly [name: string, place: number])[], count: number): NameIndex {
    const isNews = added.every(([name]) => !this.#places.has(name))
    const places = isNews ? this.#places : new Map(this.#places)
    for (const [name, place] of added) places.set(name, place)
    return new NameIndex(places, count)
  }
}
