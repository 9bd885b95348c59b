/** Simplifies a typed text so that its words can be compared: small letters without accents, plain spaces and hyphens, no commas. */
export function plainWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u200e\u200f\u2019']/gu, '')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[,\s]+/g, ' ')
    .trim()
    .toLowerCase()
}
