/**
 * Compares names as the database does (`private.by_name`): 'Item 2' comes before 'Item 10'. If the letters are the same, their accents decide;
 * if these are the same too, upper or lower case decides.
 */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'variant' })

/** Compares two names for sorting. Returns less than 0 if `a` comes first, and 0 only for equal texts. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a === b ? 0 : a < b ? -1 : 1)
}
