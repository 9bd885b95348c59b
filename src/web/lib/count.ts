const number = new Intl.NumberFormat('en-GB')

/** '1,284'. */
export function formatCount(count: number): string {
  return number.format(count)
}

/** '1,284 contacts', '1 contact'. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
