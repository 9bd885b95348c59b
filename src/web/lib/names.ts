const collator = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true })

/** The first `limit` rows by name, as the language sorts, in one pass: sorting ten thousand names for fifty lines would hold the page up. */
export function firstByName<Row>(rows: Iterable<Row>, nameOf: (row: Row) => string, limit: number): Row[] {
  const best: { row: Row; name: string }[] = []
  for (const row of rows) {
    const name = nameOf(row)
    const last = best[limit - 1]
    if (last && collator.compare(name, last.name) >= 0) continue
    let place = best.length
    while (place > 0 && collator.compare(name, (best[place - 1] as { name: string }).name) < 0) place -= 1
    best.splice(place, 0, { row, name })
    if (best.length > limit) best.pop()
  }
  return best.map(({ row }) => row)
}

/** Names as the language sorts them. */
export function compareNames(a: string, b: string): number {
  return collator.compare(a, b)
}
