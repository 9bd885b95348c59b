type Words<Row> = (row: Row) => readonly (string | null)[]

/** What was folded, by the function that names a row's words. */
const folded = new WeakMap<object, WeakMap<object, string>>()

/** Text as searches compare it: without regard to case, as SQL's `lower`. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** The words of a row that a search looks at, folded, a space between them (a missing one is empty), as SQL joins them. */
export function searchText<Row extends object>(row: Row, words: Words<Row>): string {
  const texts = folded.get(words) ?? new WeakMap<object, string>()
  folded.set(words, texts)
  let text = texts.get(row)
  if (text === undefined) {
    text = fold(words(row).join(' '))
    texts.set(row, text)
  }
  return text
}
