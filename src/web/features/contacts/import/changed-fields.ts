import type { ImportChange, ImportChanges, ImportValues } from '#web/data/import-changes.ts'

/** A field of a contact that an import changes. */
export interface ChangedField {
  label: string
  old: string | null
  now: string | null
}

const labels: readonly { field: Exclude<keyof ImportValues, 'custom'>; label: string }[] = [
  { field: 'email', label: 'Email' },
  { field: 'first_name', label: 'First name' },
  { field: 'last_name', label: 'Last name' },
  { field: 'phone', label: 'Phone' },
  { field: 'title', label: 'Job title' },
  { field: 'company', label: 'Company' },
  { field: 'tags', label: 'Tags' },
]

/** Returns the standard fields of a contact that an import changes, with their old and new values. */
export function changedFields({ before, after, email }: ImportChange): ChangedField[] {
  // `before` and `after` have an email address only if the contact had none before the import, or has none now.
  const now = { ...after, email: before.email === undefined ? undefined : (after.email ?? email) }
  return labels.flatMap(({ field, label }) => {
    const change = { label, old: before[field] ?? null, now: now[field] ?? null }
    return change.old === change.now ? [] : [change]
  })
}

/**
 * Leaves out the contacts that have the values from before the import: a later row of the file has changed them back. Only those that are loaded
 * can be found. A contact that was changed since the import stays, because the list says so.
 */
export function withoutUnchanged({ count, contacts }: ImportChanges): ImportChanges {
  const changed = contacts.filter((change) => change.changed_since || hasNetChange(change))
  return { count: count - contacts.length + changed.length, contacts: changed }
}

function hasNetChange(change: ImportChange): boolean {
  const [before, after] = [change.before.custom, change.after.custom]
  // The server sends the keys of an object always in the same order. Imports by earlier versions changed no custom fields.
  const hasCustomChange = before && after && JSON.stringify(before) !== JSON.stringify(after)
  return hasCustomChange || changedFields(change).length > 0
}
