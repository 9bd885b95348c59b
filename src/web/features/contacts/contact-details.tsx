import { useContext } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { NoteRequestContext } from '#web/crm/note-request.ts'
import { limits } from '#shared/limits.ts'
import { EditPerson } from '#web/crm/edit-person.tsx'
import { RecordFields } from '#web/crm/record-fields.tsx'
import { changeOwner } from '#web/crm/give-to-owner.ts'
import { RecordTags } from '#web/crm/record-tags.tsx'
import { EditRecord } from '#web/crm/edit-record.tsx'
import { useCompanySearch } from '#web/data/add-company.ts'
import { fullName } from '#web/data/store/contact-name.ts'
import { failureOf } from '#web/data/session/outcome.ts'
import { usePeople } from '#web/data/people/people.ts'
import type { Editable } from '#web/data/store/record-tables.ts'
import type { Contact } from '#web/data/server/rows.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { useRecord } from '#web/data/query/use-record.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { CallLink } from '#web/ui/call-link.tsx'
import { EditText } from '#web/ui/edit-in-place/edit-text.tsx'
import { AddToListIcon, MailIcon, NameIcon, PhoneIcon, WorkIcon } from '#web/ui/icons.tsx'
import { PanelFields, PanelTitle } from '#web/ui/panel-parts.tsx'
import { checkPhone } from './contact-schema.ts'
import { EditEmail } from './edit-email.tsx'

/** A contact in its panel: name and work, ways to reach the person, and fields edited in place. */
export function ContactDetails({ contact, onNewTask }: { contact: Contact; onNewTask: () => void }) {
  const device = useDevice()
  const company = useRecord('companies', contact.company_id).row
  const people = usePeople()
  const companies = useCompanySearch()
  const name = fullName(contact)
  const save = (patch: Partial<Editable<'contacts'>>) => failureOf(updateRecord(device, 'contacts', contact.id, patch))
  return (
    <>
      <div className="flex flex-col gap-4">
        <PanelTitle
          leading={<Avatar name={name} size="title" />}
          below={(contact.title || contact.company_id) && <JobAndCompany contact={contact} company={company?.name} />}
        >
          <span className="block break-words">{name ?? contact.email ?? contact.phone ?? '–'}</span>
        </PanelTitle>
        <RecordTags table="contacts" id={contact.id} ids={contact.tag_ids} />
        <ReachLinks contact={contact} onNewTask={onNewTask} />
      </div>
      <PanelFields>
        <EditEmail contact={contact} />
        <EditText
          label="Phone"
          icon={<PhoneIcon />}
          type="tel"
          inputMode="tel"
          value={contact.phone}
          maxLength={limits.contacts.phone}
          check={(text) => checkPhone(text, contact.phone !== null && !contact.email)}
          onSave={(phone) => save({ phone })}
        />
        <EditRecord
          kind="companies"
          id={contact.company_id}
          name={company?.name ?? null}
          choices={companies}
          onSave={(company_id) => save({ company_id })}
        />
        <EditPerson
          label="Owner"
          userId={contact.owner_id}
          name={people.byId(contact.owner_id)?.name ?? null}
          people={people.members}
          nobody="No owner"
          onSave={(owner_id) => changeOwner(device, 'contacts', contact.id, owner_id, people.byId(owner_id)?.name)}
        />
        <EditText
          label="First name"
          icon={<NameIcon />}
          value={contact.first_name}
          maxLength={limits.contacts.first_name}
          onSave={(first_name) => save({ first_name })}
        />
        <EditText
          label="Last name"
          icon={<NameIcon />}
          value={contact.last_name}
          maxLength={limits.contacts.last_name}
          onSave={(last_name) => save({ last_name })}
        />
        <EditText
          label="Job title"
          icon={<WorkIcon />}
          value={contact.title}
          maxLength={limits.contacts.title}
          onSave={(title) => save({ title })}
        />
      </PanelFields>
      <RecordFields table="contacts" row={contact} />
    </>
  )
}

/** Job title and company; on the phone on two lines. The company's line keeps its space until the name is known, so that nothing moves. */
function JobAndCompany({ contact, company }: { contact: Contact; company: string | undefined }) {
  return (
    <>
      {contact.title && <span className="max-sm:block">{contact.title}</span>}
      {contact.title && company && <span className="max-sm:hidden">, </span>}
      {contact.company_id && <span className="max-sm:block max-sm:min-h-lh">{company}</span>}
    </>
  )
}

/** Links to send an email or to call, and a button for a new task. */
function ReachLinks({ contact, onNewTask }: { contact: Contact; onNewTask: () => void }) {
  const { email, phone } = contact
  const { logCall } = useContext(NoteRequestContext)
  return (
    <div className="flex flex-wrap gap-2 max-sm:*:flex-1">
      {email && (
        <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`} className={buttonClass()}>
          <MailIcon className="max-sm:text-accent-text" />
          Email
        </a>
      )}
      {phone && <CallLink phone={phone} onCall={logCall} className="max-sm:order-first" />}
      <Button icon={<AddToListIcon className="max-sm:text-accent-text" />} onClick={onNewTask}>
        New Task
      </Button>
    </div>
  )
}
