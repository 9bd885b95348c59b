/**
 * Remembers what a screen shows of a row. It is computed again only when the row or one of the parts changes, so that rendered cards stay
 * as they are.
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
