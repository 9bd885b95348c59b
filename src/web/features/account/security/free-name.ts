/** Returns `name` if it is not in `taken`, otherwise `name` with the first free number: 'My phone 2', 'My phone 3', … */
export function freeName(name: string, taken: readonly string[]): string {
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name} ${count}`
    if (!taken.includes(candidate)) return candidate
  }
}
