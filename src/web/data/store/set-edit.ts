/** A change of a set of ids (the tags of a record) that leaves the other ids as they are. */
export interface SetEdit {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** Whether a field holds a set of ids. Changes of two people to a set are merged, so it is never in conflict. */
export function isSetField(field: string): boolean {
  return field === 'tag_ids'
}

export function isSetEdit(value: unknown): value is SetEdit {
  return typeof value === 'object' && value !== null && 'add' in value && 'remove' in value
}

/** Returns the set with the edit applied, sorted as the database stores it. */
export function editedSet(set: unknown, { add, remove }: SetEdit): string[] {
  const gone = new Set(remove)
  return [...new Set([...idsIn(set), ...add])].filter((id) => !gone.has(id)).sort()
}

/** Three-way merge: returns their set with this side's additions to, and removals from, the base. */
export function mergedSet(base: unknown, mine: unknown, theirs: unknown): string[] {
  return editedSet(theirs, editBetween(base, mine))
}

/** Returns the edit that turns one set into the other. */
export function editBetween(from: unknown, to: unknown): SetEdit {
  const [before, after] = [new Set(idsIn(from)), new Set(idsIn(to))]
  return {
    add: [...after].filter((id) => !before.has(id)),
    remove: [...before].filter((id) => !after.has(id)),
  }
}

/** Returns the edit that reverts an edit of the set `before`. */
export function inverseEdit({ add, remove }: SetEdit, before: unknown): SetEdit {
  const had = new Set(idsIn(before))
  return { add: remove.filter((id) => had.has(id)), remove: add.filter((id) => !had.has(id)) }
}

/** Returns the fields as screens show them after an edit: a set with the edit applied, other values as they are. */
export function shownEdit(row: object | undefined, values: Record<string, unknown>): Record<string, unknown> {
  const known: Record<string, unknown> = { ...row }
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, isSetEdit(value) ? editedSet(known[field], value) : value]),
  )
}

/** Returns the ids of a set. Empty for a row that was stored before its table had the field. */
export function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}
