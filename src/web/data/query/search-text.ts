const folded = new WeakMap<object, string>()

/** Text as searches compare it: without regard to case, as SQL's `lower`. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** The words of a row that a search looks at, folded, a space between them (a missing one is empty), as SQL joins them. */
export function searchText<Row extends object>(row: Row, words: (row: Row) => readonly (string | null)[]): string {
  let text = folded.get(row)
  if (text === undefined) {
    text = fold(words(row).join(' '))
    folded.set(row, text)
  }
  return text
}
