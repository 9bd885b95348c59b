const countFormat = new Intl.NumberFormat('en-GB')

/** Formats a count with commas between thousands: '1,284'. */
export function formatCount(count: number): string {
  return countFormat.format(count)
}

/** Formats a count with its noun: '1,284 contacts', '1 contact'. With `hasMore`, there are more than that: '1,000+ contacts'. */
export function countOf(count: number, singular: string, plural: string, hasMore = false): string {
  return `${formatCount(count)}${hasMore ? '+' : ''} ${count === 1 ? singular : plural}`
}
