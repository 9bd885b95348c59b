const number = new Intl.NumberFormat('en-GB')

/** Returns a count as '1,284'. */
export function formatCount(count: number): string {
  return number.format(count)
}

/** Returns a count with its noun: '1,284 contacts', '1 contact', '1,000+ contacts' if there are more. */
export function countOf(count: number, one: string, many: string, hasMore = false): string {
  return `${formatCount(count)}${hasMore ? '+' : ''} ${count === 1 ? one : many}`
}
