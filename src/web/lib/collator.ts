let collator: Intl.Collator | undefined

/** Compares two names as people sort them: without regard to case and accents first, numbers by value. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'variant', usage: 'sort' })
  return collator.compare(a, b)
}
