/** '+44 (7700) 900-142' → '+447700900142'; null for a number without a country code (E.164; accepts 8 to 15 digits). */
export function internationalNumber(typed: string): string | null {
  const compact = typed.replaceAll(/[\s().-]/g, '').replace(/^00/, '+')
  return /^\+[1-9]\d{7,14}$/.test(compact) ? compact : null
}
