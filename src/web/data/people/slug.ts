/**
 * Returns the slug of a brand name: lower case, with a hyphen for each run of characters that are neither letters nor digits (spec section
 * 3). Banyan's database ignores this slug and computes it from the name (`private.tidy_brand`).
 */
export function slugOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
}
