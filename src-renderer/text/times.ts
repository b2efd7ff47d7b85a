import { unknown } from './numbers.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const dayOfYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const dayWithYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: 'numeric' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** How long ago: "just now", "2 min ago", "3 h ago", "yesterday", "Nov 26", "Nov 26, 2024"; local time. */
export function formatWhen(iso: string | null, now: number): string {
  const time = iso === null ? NaN : Date.parse(iso)
  if (Number.isNaN(time)) return unknown
  const age = now - time
  // What was written while `now` stood still is not in the future.
  if (Math.abs(age) < minute) return 'just now'
  if (age >= 0 && age < hour) return `${Math.floor(age / minute)} min ago`
  const days = Math.round((startOfDay(now) - startOfDay(time)) / day)
  if (days === 0 && age >= 0) return `${Math.floor(age / hour)} h ago`
  if (days === 1) return 'yesterday'
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear()
  return (sameYear ? dayOfYear : dayWithYear).format(time)
}

/** Date and time to the second, local; null or unreadable as "unknown". */
export function formatTime(iso: string | null): string {
  const time = iso === null ? NaN : Date.parse(iso)
  return Number.isNaN(time) ? unknown : exact.format(time)
}

/** Midnight before a time, local. */
export const startOfDay = (time: number): number => new Date(time).setHours(0, 0, 0, 0)

const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric' })

/** What is listed together by date: "Today", "Yesterday", "Last 7 days", each month before; local time. `today` is the midnight before now. */
export function dateGroup(iso: string | null, today: number): string {
  const time = iso === null ? NaN : Date.parse(iso)
  if (Number.isNaN(time)) return 'Unknown date'
  const days = Math.round((today - startOfDay(time)) / day)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return days < 7 ? 'Last 7 days' : month.format(time)
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** Hour and minute, local; null or unreadable as "unknown". */
export function formatClock(time: string | number | null): string {
  const date = new Date(time ?? NaN)
  return Number.isNaN(date.valueOf()) ? unknown : clock.format(date)
}
