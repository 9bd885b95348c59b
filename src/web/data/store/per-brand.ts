import type { BrandData } from './brand-data.ts'

/**
 * Returns a function that returns a module's value for an open brand. `make` creates it at the first use. It is dropped when the brand is
 * closed.
 */
export function perBrand<Value>(make: (data: BrandData) => Value): (data: BrandData) => Value {
  return (data) => data.parts.get(data, make)
}
