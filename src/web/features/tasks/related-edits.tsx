import { useState } from 'react'
import { contactName } from '#web/data/contact-names.ts'
import { useContactChoices } from '#web/data/contacts.ts'
import { useDealChoices } from '#web/data/deals.ts'
import { useRecord } from '#web/data/use-record.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import type { ComboboxOption } from '#web/ui/combobox.tsx'
import { EditRecord } from '#web/ui/edit-in-place/edit-record.tsx'
import type { Saved } from '#web/ui/edit-in-place/edit-row.tsx'
import { ChevronRightIcon, DealIcon } from '#web/ui/icons.tsx'
import { RecordLink } from '#web/ui/record-link.tsx'

interface EditRelatedProps {
  id: string | null
  onSave: (id: string | null) => Saved
}

/** The contact that a task is about: another is chosen by typing; the arrow leads to it. */
export function EditTaskContact({ id, onSave }: EditRelatedProps) {
  const [text, setText] = useState('')
  const { ready, choices } = useContactChoices(text)
  const { row } = useRecord('contacts', id)
  const name = contactName(row ?? undefined) ?? '?'
  return (
    <EditRecord
      label="Contact"
      value={id ? { id, label: name } : null}
      options={choices}
      onSearch={setText}
      loading={!ready}
      onSave={onSave}
      leading={avatarOf}
      link={id && <OpenLink table="contacts" id={id} name={name} />}
    />
  )
}

/** The deal that a task is about. */
export function EditTaskDeal({ id, onSave }: EditRelatedProps) {
  const [text, setText] = useState('')
  const { ready, choices } = useDealChoices(text)
  const { row } = useRecord('deals', id)
  const name = row?.name ?? '?'
  return (
    <EditRecord
      label="Deal"
      value={id ? { id, label: name } : null}
      options={choices}
      onSearch={setText}
      loading={!ready}
      onSave={onSave}
      leading={dealIcon}
      link={id && <OpenLink table="deals" id={id} name={name} />}
    />
  )
}

function avatarOf({ label }: ComboboxOption) {
  return <Avatar name={label} size={20} />
}

function dealIcon() {
  return <DealIcon />
}

function OpenLink({ table, id, name }: { table: string; id: string; name: string }) {
  return (
    <RecordLink
      table={table}
      id={id}
      aria-label={`Open ${name}`}
      title={`Open ${name}`}
      className="grid size-8 shrink-0 place-items-center rounded-control text-ink3 hover:bg-hover hover:text-ink max-sm:size-11"
    >
      <ChevronRightIcon />
    </RecordLink>
  )
}
