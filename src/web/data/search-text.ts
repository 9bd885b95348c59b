const folded = new WeakMap<object, string>()

/** Text as searches compare it: without regard to case, as SQL's `lower`. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** The words of a row that a search looks at, folded; remembered as long as the row lives. */
export function searchText<Row extends object>(row: Row, words: (row: Row) => readonly (string | null)[]): string {
  let text = folded.get(row)
  if (text === undefined) {
    text = fold(
      words(row)
        .filter((word) => word)
        .join(' '),
    )
    folded.set(row, text)
  }
  return text
}
