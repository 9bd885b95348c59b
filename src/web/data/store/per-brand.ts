import type { BrandData } from './brand-data.ts'

/**
 * Lets a module keep one value per open brand. Returns the function that looks the value up. `make` creates the value when it is first
 * looked up. The value is dropped when the brand is closed.
 */
export function perBrand<Value>(make: (data: BrandData) => Value): (data: BrandData) => Value {
  return (data) => data.parts.get(data, make)
}
