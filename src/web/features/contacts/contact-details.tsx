import { useState } from 'react'
import { limits } from '#shared/limits.ts'
import { useCompanyChoices } from '#web/data/companies.ts'
import { fullName } from '#web/data/contact-names.ts'
import { usePeople } from '#web/data/people.ts'
import type { Editable } from '#web/data/record-tables.ts'
import type { Contact } from '#web/data/rows.ts'
import { updateRecord } from '#web/data/update-record.ts'
import { useRecord } from '#web/data/use-record.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { BrandTile } from '#web/ui/brand-tile.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { EditPerson } from '#web/ui/edit-in-place/edit-person.tsx'
import { EditRecord } from '#web/ui/edit-in-place/edit-record.tsx'
import { EditText } from '#web/ui/edit-in-place/edit-text.tsx'
import { AddTaskIcon, ChevronRightIcon, MailIcon, PhoneIcon } from '#web/ui/icons.tsx'
import { PanelFields, PanelTitle } from '#web/ui/panel-parts.tsx'
import { RecordLink } from '#web/ui/record-link.tsx'
import { checkEmail } from './contact-schema.ts'

type Patch = Partial<Editable<'contacts'>>

/** A contact in its panel: who it is, ways to reach them, and every field edited where it stands. */
export function ContactDetails({ contact, onNewTask }: { contact: Contact; onNewTask: () => void }) {
  const company = useRecord('companies', contact.company_id).row
  const people = usePeople()
  const name = fullName(contact)
  const save = async (patch: Patch) => {
    const outcome = await updateRecord('contacts', contact.id, patch)
    return outcome.status === 'refused' ? outcome.message : null
  }
  return (
    <>
      <div className="flex flex-col gap-4">
        <PanelTitle
          leading={<Avatar name={name} size={48} />}
          below={[contact.title, company?.name].filter(Boolean).join(', ')}
        >
          <span className="block break-words">{name ?? contact.email ?? '–'}</span>
        </PanelTitle>
        <Reach contact={contact} onNewTask={onNewTask} />
      </div>
      <PanelFields>
        <EditText
          label="Email"
          type="email"
          inputMode="email"
          value={contact.email}
          maxLength={limits.contacts.email}
          check={(text) => checkEmail(text, contact.email !== null)}
          onSave={(email) => save({ email })}
        />
        <EditText
          label="Phone"
          type="tel"
          inputMode="tel"
          value={contact.phone}
          maxLength={limits.contacts.phone}
          onSave={(phone) => save({ phone })}
        />
        <EditCompany
          value={contact.company_id && { id: contact.company_id, label: company?.name ?? '…' }}
          onSave={(company_id) => save({ company_id })}
        />
        <EditPerson
          label="Owner"
          userId={contact.owner_id}
          name={people.byId(contact.owner_id)?.name ?? null}
          people={people.members}
          nobody="No owner"
          onSave={(owner_id) => save({ owner_id })}
        />
        <EditText
          label="First name"
          value={contact.first_name}
          maxLength={limits.contacts.first_name}
          onSave={(first_name) => save({ first_name })}
        />
        <EditText
          label="Last name"
          value={contact.last_name}
          maxLength={limits.contacts.last_name}
          onSave={(last_name) => save({ last_name })}
        />
        <EditText
          label="Title"
          value={contact.title}
          maxLength={limits.contacts.title}
          onSave={(title) => save({ title })}
        />
      </PanelFields>
    </>
  )
}

/** One press to write, to call, or to note what is to do. */
function Reach({ contact, onNewTask }: { contact: Contact; onNewTask: () => void }) {
  const { email, phone } = contact
  return (
    <div className="flex flex-wrap gap-2 max-sm:*:flex-1">
      {email && (
        <a href={`mailto:${email}`} className={buttonClass()}>
          <MailIcon className="max-sm:text-accent-text" />
          Email
        </a>
      )}
      {phone && (
        <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className={`${buttonClass()} max-sm:order-first`}>
          <PhoneIcon className="max-sm:text-accent-text" />
          Call
        </a>
      )}
      <Button icon={<AddTaskIcon className="max-sm:text-accent-text" />} onClick={onNewTask}>
        New Task
      </Button>
    </div>
  )
}

function tileOf({ label }: { label: string }) {
  return <BrandTile name={label} />
}

interface EditCompanyProps {
  value: { id: string; label: string } | null | ''
  onSave: (id: string | null) => Promise<string | null>
}

function EditCompany({ value, onSave }: EditCompanyProps) {
  const [text, setText] = useState('')
  const { ready, choices } = useCompanyChoices(text)
  return (
    <EditRecord
      label="Company"
      value={value || null}
      options={choices}
      onSearch={setText}
      loading={!ready}
      onSave={onSave}
      leading={tileOf}
      link={
        value && (
          <RecordLink
            table="companies"
            id={value.id}
            aria-label={`Open ${value.label}`}
            title={`Open ${value.label}`}
            className="grid size-8 shrink-0 place-items-center rounded-control text-ink3 hover:bg-hover hover:text-ink max-sm:size-11"
          >
            <ChevronRightIcon />
          </RecordLink>
        )
      }
    />
  )
}
