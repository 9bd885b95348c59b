/**
 * Simplifies a typed text so that its words can be compared: lower case, no accents, apostrophes or commas, and only one kind of space and of
 * hyphen.
 */
export function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u200e\u200f\u2019']/gu, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[,\s]+/g, ' ')
    .trim()
    .toLowerCase()
}
