/**
 * How well a text answers what was typed: 0 where a word of it is missing, more the earlier and the more wholly its words
 * stand in the title; `more` counts least.
 */
export function rankOf(typed: string, title: string, more = ''): number {
  const words = wordsOf(typed)
  const lowTitle = title.toLowerCase()
  const lowMore = more.toLowerCase()
  let rank = lowTitle.startsWith(words.join(' ')) ? 8 : 1
  for (const word of words) {
    const found = rankOfWord(word, lowTitle) || (lowMore.includes(word) ? 1 : 0)
    if (found === 0) return 0
    rank += found
  }
  return rank
}

function rankOfWord(word: string, title: string): number {
  const at = title.indexOf(word)
  if (at < 0) return 0
  if (at === 0) return 6
  return wordsOf(title).some((one) => one.startsWith(word)) ? 4 : 2
}

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s\-_/.,:]+/)
    .filter(Boolean)

/** What answers, best first; equals stay in their order. */
export function ranked<T>(items: readonly T[], rankItem: (item: T) => number): readonly T[] {
  return items
    .map((item) => ({ item, rank: rankItem(item) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
    .map(({ item }) => item)
}
