/** Whether two values are equal. Null equals undefined. Times are compared as moments: the browser and the server write them differently. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true
  if (typeof a !== 'string' || typeof b !== 'string') return JSON.stringify(a) === JSON.stringify(b)
  return isMoment(a) && isMoment(b) && Date.parse(a) === Date.parse(b)
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
}
