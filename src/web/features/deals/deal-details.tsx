import { useDevice } from '#web/data/browser/device.ts'
import { limits } from '#shared/limits.ts'
import { EditPerson } from '#web/crm/edit-person.tsx'
import { RecordFields } from '#web/crm/record-fields.tsx'
import { changeOwner } from '#web/crm/give-to-owner.ts'
import { RecordTags } from '#web/crm/record-tags.tsx'
import { LinkedRecord } from '#web/crm/linked-record.tsx'
import { useCompanySearch } from '#web/data/add-company.ts'
import { companyChoiceOfContact, useContactSearch } from '#web/data/contact-picker.ts'
import { isOpenStage, useDealStages } from '#web/data/deal-stages.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import type { DealCard } from '#web/data/deals.ts'
import { failureOf } from '#web/data/session/outcome.ts'
import { usePeople } from '#web/data/people/people.ts'
import type { Editable } from '#web/data/store/record-tables.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { useRecord } from '#web/data/query/use-record.ts'
import { isoToLocal, localToIso } from '#web/lib/dates.ts'
import { EditDate } from '#web/ui/edit-in-place/edit-date.tsx'
import { EditMoney } from '#web/ui/edit-in-place/edit-money.tsx'
import { EditText } from '#web/ui/edit-in-place/edit-text.tsx'
import { PanelCard, PanelFields, PanelTitle } from '#web/ui/panel-parts.tsx'
import { currencies } from '#web/lib/currencies.ts'
import { DealStage } from './deal-stage.tsx'
import { EditLostReason } from './edit-lost-reason.tsx'
import { amountHint, parseAmount } from './parse-amount.ts'

const notANumberError = { error: 'Type a number, such as 12,400 or 12k' }

/** The fields of a deal, each edited in place, and its contact and company. */
export function DealDetails({ card }: { card: DealCard }) {
  const device = useDevice()
  const { deal, contactName, companyName } = card
  const people = usePeople()
  const { stages } = useDealStages()
  const stage = stages.find(({ id }) => id === deal.stage_id)
  const pipelines = usePipelines()
  const contact = useRecord('contacts', deal.contact_id).row
  const company = useRecord('companies', deal.company_id).row
  const contacts = useContactSearch()
  const companies = useCompanySearch()
  const save = (patch: Partial<Editable<'deals'>>) => failureOf(updateRecord(device, 'deals', deal.id, patch))
  /** Saves the contact. If the deal has no company, or its former contact's company, also saves the new contact's company. */
  const saveContact = (contact_id: string | null) => {
    const newCompanyId = contact_id && companyChoiceOfContact(device, contact_id)?.id
    const formerCompanyId = deal.contact_id && companyChoiceOfContact(device, deal.contact_id)?.id
    const companyFollows = newCompanyId && (!deal.company_id || deal.company_id === formerCompanyId)
    return save({ contact_id, ...(companyFollows && { company_id: newCompanyId }) })
  }
  return (
    <>
      <div className="flex flex-col gap-4">
        <PanelTitle>
          <EditText
            bare
            label="Deal name"
            value={deal.name}
            maxLength={limits.deals.name}
            check={(name) => (name.trim() ? null : 'Deal name is required')}
            onSave={(name) => save({ name })}
            className="text-xl font-semibold"
          />
        </PanelTitle>
        <RecordTags table="deals" id={deal.id} ids={deal.tag_ids} />
        <DealStage deal={deal} stages={stages} />
      </div>
      <PanelFields>
        <EditMoney
          label="Amount"
          amount={deal.amount}
          currency={deal.amount_currency}
          currencies={currencies}
          parse={(text, currency) => parseAmount(text, currency) ?? notANumberError}
          note={amountHint}
          onSave={({ amount, currency }) => save({ amount, amount_currency: currency })}
        />
        <EditDate
          label="Expected close date"
          value={deal.expected_close_date}
          onSave={(expected_close_date) => save({ expected_close_date })}
        />
        {stage && !isOpenStage(stage) && (
          <EditDate
            label={stage.kind === 'won' ? 'Won on' : 'Lost on'}
            value={isoToLocal(deal.closed_at).slice(0, 10) || null}
            onSave={(day) => (day ? save({ closed_at: localToIso(day) }) : undefined)}
          />
        )}
        {stage?.kind === 'lost' && (
          <EditLostReason
            value={deal.lost_reason}
            reasons={pipelines.find(({ id }) => id === stage.pipeline_id)?.lost_reasons ?? []}
            onSave={(lost_reason) => save({ lost_reason })}
          />
        )}
        <EditPerson
          label="Owner"
          userId={deal.owner_id}
          name={people.byId(deal.owner_id)?.name ?? null}
          people={people.members}
          nobody="No owner"
          onSave={(owner_id) => changeOwner(device, 'deals', deal.id, owner_id, people.byId(owner_id)?.name)}
        />
      </PanelFields>
      <RecordFields table="deals" row={deal} />
      <PanelCard>
        <LinkedRecord
          kind="contacts"
          id={deal.contact_id}
          name={contactName}
          detail={[contact?.title, contact?.email].filter(Boolean).join(' · ')}
          choices={contacts}
          onSave={saveContact}
        />
        <LinkedRecord
          kind="companies"
          id={deal.company_id}
          name={companyName}
          detail={company?.domain ?? company?.website ?? null}
          choices={companies}
          onSave={(company_id) => save({ company_id })}
        />
      </PanelCard>
    </>
  )
}
