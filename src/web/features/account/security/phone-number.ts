/**
 * Returns a typed phone number in international form (E.164): '+447700900142' for '+44 (7700) 900-142'. Spaces, brackets, dots and hyphens are
 * removed, and 00 at the beginning becomes '+'. Null unless the result is '+' and 8 to 15 digits, of which the first is not 0.
 */
export function internationalNumber(typed: string): string | null {
  const compact = typed.replaceAll(/[\s().-]/g, '').replace(/^00/, '+')
  return /^\+[1-9]\d{7,14}$/.test(compact) ? compact : null
}
