/**
 * Keeps the entry that a screen shows for each row. `make` makes the entry again only if the row, or one of the other `parts` that the
 * entry shows, has changed. So a card that did not change keeps its object and is not rendered again.
 */
export class RowMemo<Row extends object, Entry> {
  private readonly kept = new WeakMap<Row, { parts: readonly unknown[]; entry: Entry }>()

  get(row: Row, parts: readonly unknown[], make: () => Entry): Entry {
    const present = this.kept.get(row)
    if (present?.parts.every((part, index) => Object.is(part, parts[index]))) return present.entry
    const entry = make()
    this.kept.set(row, { parts, entry })
    return entry
  }
}
