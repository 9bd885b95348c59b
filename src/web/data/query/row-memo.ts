/**
 * Keeps in memory the object that a screen shows for each row, such as a card of the board. `make` makes the object again only if the row,
 * or one of the other `parts` that the object shows, has changed. So a card that did not change keeps its object and is not rendered again.
 */
export class RowMemo<Row extends object, Entry> {
  private readonly kept = new WeakMap<Row, { parts: readonly unknown[]; entry: Entry }>()

  get(row: Row, parts: readonly unknown[], make: () => Entry): Entry {
    const cached = this.kept.get(row)
    if (cached?.parts.every((part, index) => Object.is(part, parts[index]))) return cached.entry
    const entry = make()
    this.kept.set(row, { parts, entry })
    return entry
  }
}
