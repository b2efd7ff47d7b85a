const grouped = new Intl.NumberFormat('en-US')
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const smallDollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', minimumFractionDigits: 4 })

export const countText = (count: number | null): string => (count === null ? 'unknown' : grouped.format(count))

/** "1 leaf", "2 leaves", "1 branch point": the plural is given where an s does not make it. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${grouped.format(count)} ${count === 1 ? one : many}`

export function costText(cost: number | null): string {
  if (cost === null) return 'unknown'
  return cost !== 0 && Math.abs(cost) < 0.1 ? smallDollars.format(cost) : dollars.format(cost)
}

/** In the person's time zone; "unknown" for null. */
export const timeText = (time: string | null): string =>
  // Swedish writes dates as ISO 8601 does.
  time === null ? 'unknown' : new Date(time).toLocaleString('sv-SE')

/** 0.6412 as "64.1 %"; null as "unknown". */
export const shareText = (share: number | null): string =>
  share === null ? 'unknown' : `${(share * 100).toFixed(1)} %`
