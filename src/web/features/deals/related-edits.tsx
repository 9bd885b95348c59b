import { useState } from 'react'
import { useCompanyChoices } from '#web/data/companies.ts'
import { useContactChoices } from '#web/data/contacts.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { BrandTile } from '#web/ui/brand-tile.tsx'
import { EditRecord } from '#web/ui/edit-in-place/edit-record.tsx'
import { ChevronRightIcon } from '#web/ui/icons.tsx'
import { RecordLink } from '#web/ui/record-link.tsx'

interface EditRelatedProps {
  id: string | null
  name: string | null
  onSave: (id: string | null) => Promise<string | null>
}

/** The contact of a deal: another is found by typing, the arrow leads to them. */
export function EditDealContact({ id, name, onSave }: EditRelatedProps) {
  const [text, setText] = useState('')
  const { ready, choices } = useContactChoices(text)
  return (
    <EditRecord
      label="Contact"
      value={id ? { id, label: name ?? '?' } : null}
      options={choices}
      onSearch={setText}
      loading={!ready}
      onSave={onSave}
      leading={face}
      link={id && <Follow table="contacts" id={id} name={name ?? 'contact'} />}
    />
  )
}

/** The company of a deal. */
export function EditDealCompany({ id, name, onSave }: EditRelatedProps) {
  const [text, setText] = useState('')
  const { ready, choices } = useCompanyChoices(text)
  return (
    <EditRecord
      label="Company"
      value={id ? { id, label: name ?? '?' } : null}
      options={choices}
      onSearch={setText}
      loading={!ready}
      onSave={onSave}
      leading={tile}
      link={id && <Follow table="companies" id={id} name={name ?? 'company'} />}
    />
  )
}

function face({ label }: { label: string }) {
  return <Avatar name={label} size={20} />
}

function tile({ label }: { label: string }) {
  return <BrandTile name={label} />
}

function Follow({ table, id, name }: { table: string; id: string; name: string }) {
  return (
    <RecordLink
      table={table}
      id={id}
      aria-label={`Open ${name}`}
      className="-mr-2 grid size-8 shrink-0 place-items-center rounded-control text-ink3 hover:bg-hover hover:text-ink max-sm:size-11"
    >
      <ChevronRightIcon />
    </RecordLink>
  )
}
