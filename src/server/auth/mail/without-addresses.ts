/** Characters that are searched: the time of the search grows with their square. */
const maxTextLength = 10_000

/** A mail server's message without mail addresses, at most 500 characters. */
export function withoutAddresses(text: string): string {
  return text
    .slice(0, maxTextLength)
    .replaceAll(/[^\s<>"',;:()[\]]+@[^\s<>"',;:()]+/g, '…')
    .slice(0, 500)
}
