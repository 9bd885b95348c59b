/** The slug of a brand name: lower case; characters that are neither letter nor digit become one hyphen (spec section 3). SQL checks it. */
export function slugOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
}
