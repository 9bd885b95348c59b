const number = new Intl.NumberFormat('en-GB')

/** '1,284'. */
export function formatCount(count: number): string {
  return number.format(count)
}

/** '1,284 contacts', '1 contact'; '1,000+ contacts' where there are more. */
export function countOf(count: number, one: string, many: string, hasMore = false): string {
  return `${formatCount(count)}${hasMore ? '+' : ''} ${count === 1 ? one : many}`
}
