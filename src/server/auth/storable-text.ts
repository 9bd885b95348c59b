/**
 * Whether PostgreSQL can keep this text as it is: without NUL, and without half a surrogate pair, which would be stored as
 * the replacement character, so that two different texts (two passwords) would become one.
 */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text)
}

/**
 * Whether every code point of this text can be seen: no control or format character (bidi marks, soft hyphen, tags), nothing that
 * Unicode lets a program leave out (zero-width characters, variation selectors, fillers), no private or unassigned one, and no
 * blank but the plain one. Unicode TR 39 and RFC 8264 (PRECIS) refuse the same in identifiers.
 */
export function isVisibleText(text: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029]|(?! )\p{Zs}/u.test(text)
}
