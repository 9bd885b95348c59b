/** What a mail server said, without the addresses that it likes to name. At most 500 characters. */
export function withoutAddresses(text: string): string {
  return text.replaceAll(/[^\s<>"',;:()[\]]+@[^\s<>"',;:()]+/g, '…').slice(0, 500)
}
