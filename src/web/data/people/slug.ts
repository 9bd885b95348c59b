/** The slug of a brand name: lowercased, runs of what is neither letter nor digit become one hyphen (spec section 3). SQL decides. */
export function slugOf(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
}
