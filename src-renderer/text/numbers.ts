export const unknown = 'unknown'

const grouped = new Intl.NumberFormat('en-US')

/** 204811 as "204,811"; null as "unknown". */
export const formatCount = (count: number | null): string => (count === null ? unknown : grouped.format(count))

/** Tokens at a glance: 950, 31.8k, 170k, 1.2M; null as "unknown". */
export function formatTokens(tokens: number | null): string {
  if (tokens === null) return unknown
  if (tokens < 1000) return String(tokens)
  // Whole numbers are rounded: 1.95 is a little less than 1950 thousandths.
  if (tokens < 99_950) return `${(Math.round(tokens / 100) / 10).toFixed(1)}k`
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`
  return `${(Math.round(tokens / 100_000) / 10).toFixed(1)}M`
}

/** Bytes with the unit that leaves at most four digits: 512 B, 2.3 kB, 14.0 MB; null as "unknown". */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return unknown
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let size = bytes / 1000
  let unit = 0
  while (size >= 999.95 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  return `${size.toFixed(1)} ${units[unit] ?? ''}`
}

/** US dollars, four digits below ten cents: $0.0486, $0.41; what these do not show as "< $0.0001"; null as "unknown". */
export function formatCost(dollars: number | null): string {
  if (dollars === null) return unknown
  if (dollars > 0 && dollars < 0.000_05) return '< $0.0001'
  return `$${dollars.toFixed(dollars !== 0 && dollars < 0.1 ? 4 : 2)}`
}

/** A count with its noun: "1 leaf", "3 leaves". */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** A share of 0 to 1: 0.6412 as "64 %", one near an end as "0.4 %", "< 0.1 %" or "99.6 %"; null as "unknown". */
export function formatShare(share: number | null): string {
  if (share === null) return unknown
  const percent = share * 100
  if (percent > 99 && percent < 100) return `${(Math.floor(percent * 10) / 10).toFixed(1)} %`
  if (percent > 0 && percent < 0.05) return '< 0.1 %'
  return `${percent > 0 && percent < 0.95 ? percent.toFixed(1) : Math.round(percent)} %`
}
