/** Returns a name that no other factor has: 'My phone', 'My phone 2', … */
export function freeName(name: string, taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name} ${count}`
    if (!taken.includes(candidate)) return candidate
  }
}
