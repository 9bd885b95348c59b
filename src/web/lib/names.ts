/** As the database sorts names (`private.by_name`): 'Item 2' before 'Item 10', then accents, then case. English has no rules of its own. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' })

/** The order of two names: less than 0 where `a` comes first, 0 only for the same text. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a === b ? 0 : a < b ? -1 : 1)
}
