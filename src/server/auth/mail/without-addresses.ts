/**
 * Maximum number of characters that are searched for e-mail addresses, because the time of the search grows with the square
 * of the length.
 */
const maxTextLength = 10_000

/** Returns a mail server's message with `…` for each e-mail address, truncated to 500 characters. */
export function withoutAddresses(text: string): string {
  return text
    .slice(0, maxTextLength)
    .replaceAll(/[^\s<>"',;:()[\]]+@[^\s<>"',;:()]+/g, '…')
    .slice(0, 500)
}
