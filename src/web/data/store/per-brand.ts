import type { BrandData } from './brand-data.ts'

/** A value that a module keeps for each open brand: made when it is first asked for, and gone with the brand. */
export function perBrand<Value>(make: (data: BrandData) => Value): (data: BrandData) => Value {
  return (data) => data.parts.get(data, make)
}
