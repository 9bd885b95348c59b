/**
 * Whether PostgreSQL can keep this text as it is: without NUL, and without half a surrogate pair, which would be stored as
 * the replacement character, so that two different texts (two passwords) would become one.
 */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text)
}
