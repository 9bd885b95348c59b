/** A change of a set of ids, such as the tags of a record. It leaves all other ids of the set as they are. */
export interface SetEdit {
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/**
 * Whether a field holds a set of ids (`tag_ids`). If two people change a set, their changes are merged, so such a field is never in conflict.
 */
export function isIdSetField(field: string): boolean {
  return field === 'tag_ids'
}

/** Whether the new value of a field is a `SetEdit` and not a plain value. */
export function isSetEdit(value: unknown): value is SetEdit {
  return typeof value === 'object' && value !== null && 'add' in value && 'remove' in value
}

/** Returns the set of ids after an edit, sorted as the database stores it. */
export function editedSet(set: unknown, { add, remove }: SetEdit): string[] {
  const removedIds = new Set(remove)
  return [...new Set([...idsIn(set), ...add])].filter((id) => !removedIds.has(id)).sort()
}

/**
 * Merges two changes of a set (three-way merge). Returns `theirs` with the ids that `mine` adds to `base`, and without the ids that `mine`
 * removes from `base`.
 */
export function mergedSet(base: unknown, mine: unknown, theirs: unknown): string[] {
  return editedSet(theirs, editBetween(base, mine))
}

/** Returns the edit that changes the set `from` into the set `to`. */
export function editBetween(from: unknown, to: unknown): SetEdit {
  const [before, after] = [new Set(idsIn(from)), new Set(idsIn(to))]
  return {
    add: [...after].filter((id) => !before.has(id)),
    remove: [...before].filter((id) => !after.has(id)),
  }
}

/** Returns the edit that reverts another edit. `before` is the set before that edit. */
export function inverseEdit({ add, remove }: SetEdit, before: unknown): SetEdit {
  const idsBefore = new Set(idsIn(before))
  return { add: remove.filter((id) => idsBefore.has(id)), remove: add.filter((id) => !idsBefore.has(id)) }
}

/**
 * Returns the new values of the edited fields, as screens show them. A `SetEdit` is applied to the set that the row has; other values stay as
 * they are.
 */
export function shownEdit(row: object | undefined, values: Record<string, unknown>): Record<string, unknown> {
  const rowFields: Record<string, unknown> = { ...row }
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      isSetEdit(value) ? editedSet(rowFields[field], value) : value,
    ]),
  )
}

/**
 * Returns the ids in the value of a set field. The value may be missing, because the row was stored before its table had the field: then
 * there are no ids.
 */
export function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}
