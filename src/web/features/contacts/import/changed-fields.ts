import type { ImportChange, ImportValues } from '#web/data/import-changes.ts'

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
