/** Sorts names as the database does (`private.by_name`): 'Item 2' before 'Item 10', then accents, then case. */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' })

/** Compares two names: less than 0 if `a` comes first, 0 only for equal texts. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a === b ? 0 : a < b ? -1 : 1)
}
