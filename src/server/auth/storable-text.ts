/**
 * Whether PostgreSQL stores this text unchanged: it contains no NUL and no half of a surrogate pair. Such a half would
 * become the replacement character, so two different passwords could be equal.
 */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text)
}

/**
 * Whether every code point of this text is visible: no control or format characters (bidi marks, soft hyphen, tags), no
 * default-ignorable characters (zero-width characters, variation selectors, fillers), no private-use or unassigned code points,
 * and no white space except U+0020. Unicode TR 39 and RFC 8264 (PRECIS) refuse the same characters in identifiers.
 */
export function isVisibleText(text: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029]|(?! )\p{Zs}/u.test(text)
}
