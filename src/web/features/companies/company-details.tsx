import { useContext } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { NoteRequestContext } from '#web/crm/note-request.ts'
import { limits } from '#shared/limits.ts'
import { EditPerson } from '#web/crm/edit-person.tsx'
import { RecordTags } from '#web/crm/record-tags.tsx'
import { RecordFields } from '#web/crm/record-fields.tsx'
import { changeOwner } from '#web/crm/give-to-owner.ts'
import { failureOf } from '#web/data/session/outcome.ts'
import { usePeople } from '#web/data/people/people.ts'
import type { Editable } from '#web/data/store/record-tables.ts'
import type { Company } from '#web/data/server/rows.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { LetterTile } from '#web/ui/letter-tile.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { CallLink } from '#web/ui/call-link.tsx'
import { EditMultiline } from '#web/ui/edit-in-place/edit-multiline.tsx'
import { EditText } from '#web/ui/edit-in-place/edit-text.tsx'
import { DomainIcon, ExternalIcon, LinkIcon, NotesIcon, PhoneIcon } from '#web/ui/icons.tsx'
import { PanelFields, PanelTitle } from '#web/ui/panel-parts.tsx'
import { websiteOf } from './website.ts'

/** A company in its panel: every field is edited in place. */
export function CompanyDetails({ company }: { company: Company }) {
  const device = useDevice()
  const people = usePeople()
  const save = (patch: Partial<Editable<'companies'>>) =>
    failureOf(updateRecord(device, 'companies', company.id, patch))
  return (
    <>
      <div className="flex flex-col gap-4">
        <PanelTitle leading={<LetterTile name={company.name} size={44} />}>
          <EditText
            bare
            label="Company name"
            value={company.name}
            maxLength={limits.companies.name}
            check={(text) => (text.trim() ? null : 'Company name is required')}
            onSave={(name) => save({ name })}
            className="text-xl font-semibold"
          />
        </PanelTitle>
        <RecordTags table="companies" id={company.id} ids={company.tag_ids} />
        <ReachLinks company={company} />
      </div>
      <PanelFields>
        <EditText
          label="Domain"
          icon={<DomainIcon />}
          inputMode="url"
          value={company.domain}
          maxLength={limits.companies.domain}
          onSave={(domain) => save({ domain })}
        />
        <EditText
          label="Website"
          icon={<LinkIcon />}
          inputMode="url"
          value={company.website}
          maxLength={limits.companies.website}
          onSave={(website) => save({ website })}
        />
        <EditText
          label="Phone"
          icon={<PhoneIcon />}
          type="tel"
          inputMode="tel"
          value={company.phone}
          maxLength={limits.companies.phone}
          onSave={(phone) => save({ phone })}
        />
        <EditPerson
          label="Owner"
          userId={company.owner_id}
          name={people.byId(company.owner_id)?.name ?? null}
          people={people.members}
          nobody="No owner"
          onSave={(owner_id) => changeOwner(device, 'companies', company.id, owner_id, people.byId(owner_id)?.name)}
        />
        <EditMultiline
          label="Notes"
          icon={<NotesIcon />}
          value={company.notes}
          maxLength={limits.companies.notes}
          onSave={(notes) => save({ notes })}
        />
      </PanelFields>
      <RecordFields table="companies" row={company} />
    </>
  )
}

/** Links that call the company or open its website. */
function ReachLinks({ company: { website, phone } }: { company: Company }) {
  const { logCall } = useContext(NoteRequestContext)
  const href = website && websiteOf(website).href
  if (!href && !phone) return null
  return (
    <div className="flex flex-wrap gap-2 max-sm:*:flex-1">
      {href && (
        <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
          <ExternalIcon className="max-sm:text-accent-text" />
          Website
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
      {phone && <CallLink phone={phone} onCall={logCall} />}
    </div>
  )
}
