import type { BrandData } from './brand-data.ts'

/** A value that a module keeps for each open brand: made when it is first asked for, and gone with the brand. */
export function perBrand<Value>(make: () => Value): (data: BrandData) => Value {
  const values = new WeakMap<BrandData, Value>()
  return (data) => {
    const kept = values.get(data)
    if (kept !== undefined) return kept
    const made = make()
    values.set(data, made)
    return made
  }
}
