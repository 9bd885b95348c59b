/**
 * Returns the slug of a brand name: lower case, with a hyphen for each run of characters that are neither letters nor digits. The client
 * sends it because spec section 3 requires it. Banyan's database computes its own slug from the name instead (`private.tidy_brand`).
 */
export function slugOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
}
