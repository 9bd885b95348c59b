import type { BrandData } from './brand-data.ts'

/** A value that a module keeps for each open brand. `make` is called at the first use; the value is dropped when the brand is closed. */
export function perBrand<Value>(make: (data: BrandData) => Value): (data: BrandData) => Value {
  return (data) => data.parts.get(data, make)
}
