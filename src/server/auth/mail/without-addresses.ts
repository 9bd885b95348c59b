/** What is looked at: the search takes the square of it. Characters. */
const maxTextLength = 10_000

/** What a mail server said, without the addresses that it likes to name. At most 500 characters. */
export function withoutAddresses(text: string): string {
  return text
    .slice(0, maxTextLength)
    .replaceAll(/[^\s<>"',;:()[\]]+@[^\s<>"',;:()]+/g, '…')
    .slice(0, 500)
}
