import { type ReactNode, useState } from 'react'
import { customWords } from '#web/data/changes/custom-words.ts'
import { useAllCustomFields } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { ImportChange, ImportChanges, ImportValues } from '#web/data/import-changes.ts'
import { fullName } from '#web/data/store/contact-name.ts'
import { formatCount } from '#web/lib/count.ts'
import { changedFields } from './changed-fields.ts'

const initiallyShownCount = 3

interface ChangedContactsProps {
  /** 'These 3 known contacts change'. */
  title: string
  changes: ImportChanges
  /** Shown beside the title. */
  children?: ReactNode
}

/** The known contacts that an import changes, with the old and new value of each field. Shows three at first; a button shows all that are loaded. */
export function ChangedContacts({ title, changes, children }: ChangedContactsProps) {
  const [areAllShown, setAreAllShown] = useState(false)
  const { contacts, count } = changes
  const shownContacts = areAllShown ? contacts : contacts.slice(0, initiallyShownCount)
  const moreCount = count - shownContacts.length
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="num text-sm">{title}</h3>
        {children}
      </div>
      <ul
        aria-label={title}
        // A scrolling area must be reachable by keyboard
        tabIndex={0}
        className="max-h-80 overflow-y-auto rounded-control ring-1 ring-line ring-inset"
      >
        {shownContacts.map((change) => (
          <ChangedContactLine key={change.id} change={change} />
        ))}
        {moreCount > 0 && (
          <li className="px-3 py-2 text-ink2">
            {shownContacts.length === contacts.length ? (
              <span className="num">{formatCount(moreCount)} more</span>
            ) : (
              <button
                type="button"
                className="num rounded-badge hover:text-ink hover:underline"
                onClick={() => setAreAllShown(true)}
              >
                {formatCount(moreCount)} more
              </button>
            )}
          </li>
        )}
      </ul>
    </section>
  )
}

function ChangedContactLine({ change }: { change: ImportChange }) {
  const { before, after, email, changed_since: changedSince } = change
  const fields = useAllCustomFields('contacts')
  return (
    <li className="flex gap-x-4 border-b border-line px-3 py-2 last:border-0 max-sm:flex-col">
      <p className="w-2/5 shrink-0 font-medium wrap-anywhere max-sm:w-full" title={email ?? undefined}>
        {fullName(before) ?? email ?? before.phone}
      </p>
      <div className="min-w-0 flex-1 text-ink2">
        {[...changedFields(change), ...changedCustom(fields, before, after)].map(({ label, old, now }) => (
          <p key={label} className="wrap-anywhere">
            {label}: {old ?? '–'} <span aria-hidden="true">→</span>
            <span className="sr-only">becomes</span> <span className="text-ink">{now ?? '–'}</span>
          </p>
        ))}
        {changedSince && <p>Changed again since the import.</p>}
      </div>
    </li>
  )
}

/** Returns the custom fields that changed. Imports by earlier versions of the app stored no custom fields, and changed none. */
function changedCustom(
  fields: readonly CustomField[],
  { custom: before }: ImportValues,
  { custom: after }: ImportValues,
) {
  if (!before || !after) return []
  return fields.flatMap((field) => {
    const [old, now] = [customWords(field, before[field.id]), customWords(field, after[field.id])]
    return old === now ? [] : [{ label: field.label, old, now }]
  })
}
