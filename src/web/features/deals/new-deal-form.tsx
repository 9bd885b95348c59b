import { useDevice } from '#web/data/browser/device.ts'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type ReactNode, useState } from 'react'
import { type Control, Controller, useController, useForm } from 'react-hook-form'
import { PersonField } from '#web/crm/person-field.tsx'
import { beginUndoable } from '#web/crm/undo-action.ts'
import { useRequiredFields } from '#web/crm/required-fields.tsx'
import { SubmitKeys } from '#web/crm/submit-keys.tsx'
import { useTagsAndNote } from '#web/crm/tags-and-note.tsx'
import { draftName, useDraft } from '#web/crm/use-draft.ts'
import { RecordPicker } from '#web/crm/record-picker.tsx'
import { stageOptions } from '#web/crm/stage-options.tsx'
import { useCompanySearch } from '#web/data/add-company.ts'
import { companyChoiceOfContact, useContactSearch } from '#web/data/contact-picker.ts'
import type { Correction } from '#web/data/changes/correction.ts'
import { creationOutcome } from '#web/data/changes/refusal-words.ts'
import { useDealStages } from '#web/data/deal-stages.ts'
import { createDeal } from '#web/data/deals.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import { usePeople } from '#web/data/people/people.ts'
import type { Choice } from '#web/lib/choice.ts'
import { parseListSearch } from '#web/lib/list-search.ts'
import { useShownLocation } from '#web/lib/routing/use-router.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field, FieldNeed } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { AmountField } from './amount-field.tsx'
import { showCreateOutcome } from './create-outcome.ts'
import { useLastCurrency } from './last-currency.ts'
import { type CheckedDeal, newDealSchema, type TypedDeal } from './new-deal-schema.ts'
import { useTypedDeal } from './typed-deal.ts'

export interface NewDealProps {
  open: boolean
  onClose: () => void
  /** The initial contact and company. */
  preset?: Partial<Pick<TypedDeal, 'contact' | 'company'>>
  /** A refused deal to correct: the form starts with its values, and the new deal replaces it. */
  correction?: Correction<'deals'> | null
}

/**
 * The dialog with the form for a new deal. It stays open until the deal is created (or only saved on this device), and is empty the next
 * time. After a refusal it stays open and keeps its input.
 */
export function NewDealForm({ open, onClose, preset, correction = null }: NewDealProps) {
  const device = useDevice()
  const { stages } = useDealStages()
  const pipelines = usePipelines()
  const { members } = usePeople()
  const shownPipelineId = parseListSearch(useShownLocation().search).pipeline
  const firstStage = stages.find((stage) => stage.pipeline_id === shownPipelineId) ?? stages[0]
  /** Whether a chosen stage was deleted meanwhile. */
  const isDeletedStage = (id: string) =>
    id !== '' && firstStage !== undefined && !stages.some((stage) => stage.id === id)
  const { currency, remember } = useLastCurrency()
  const initialValues = { ...useTypedDeal(correction, currency), ...preset }
  const form = useForm<TypedDeal, unknown, CheckedDeal>({
    resolver: standardSchemaResolver(newDealSchema),
    defaultValues: initialValues,
  })
  const draft = correction ? null : draftName('deals', preset)
  const newRowId = useDraft(form, draft, initialValues, 'currency')
  const { control, register, setError, formState } = form
  const required = useRequiredFields('deals', correction?.row.custom)
  const tagsAndNote = useTagsAndNote('deals', draft)

  async function create(deal: CheckedDeal) {
    if (deal.stage_id && isDeletedStage(deal.stage_id)) {
      form.setValue('stage', '')
      return setError('stage', { message: 'Your stage was deleted. Check this one.' })
    }
    const stage_id = deal.stage_id || firstStage?.id
    if (!stage_id) return setError('stage', { message: 'Please create a stage first in Settings' })
    const custom = required.read()
    if (!custom) return
    const { run, options } = beginUndoable(device)
    const rowId = correction?.rowId ?? newRowId()
    const created = await run(() => createDeal(device, { ...deal, stage_id, ...custom }, rowId))
    const outcome = creationOutcome(created, 'deals', { ...deal, stage_id, owner_id: null })
    if (showCreateOutcome(device, outcome, options)) {
      if (outcome.status !== 'refused') tagsAndNote.save(outcome.id, run)
      remember(deal.amount_currency)
      onClose()
      form.reset({ ...initialValues, currency: deal.amount_currency })
      required.reset()
    }
  }

  const submit = useOnce(form.handleSubmit(create))

  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={submit}
      pending={formState.isSubmitting}
      keepsDraft={(formState.isDirty || tagsAndNote.isDirty) && !correction}
      title="New Deal"
      footer={<DialogButtons pending={formState.isSubmitting} onCancel={onClose} />}
    >
      <div className="grid grid-cols-2 gap-x-4 gap-y-5 max-sm:grid-cols-1">
        <Field label="Deal name" aside={<FieldNeed />} error={formState.errors.name?.message} className="col-span-full">
          <Input {...register('name')} data-autofocus aria-required autoComplete="off" maxLength={200} />
        </Field>
        <AmountField control={control} />
        <Field label="Stage" error={formState.errors.stage?.message}>
          <Controller
            control={control}
            name="stage"
            render={({ field }) => (
              <Select
                value={isDeletedStage(field.value) ? null : field.value || (firstStage?.id ?? null)}
                onChange={field.onChange}
                placeholder={firstStage ? 'This stage was deleted' : 'No stages yet'}
                options={stageOptions(stages, pipelines)}
              />
            )}
          />
        </Field>
        <DateField control={control} name="closeDate" label="Expected close date" />
        <Controller
          control={control}
          name="owner"
          render={({ field: { value, onChange } }) => (
            <PersonField label="Owner" nobody="No owner" members={members} value={value} onChange={onChange} />
          )}
        />
        <LinkFields control={control} />
        {required.inputs}
        {tagsAndNote.inputs}
      </div>
    </Dialog>
  )
}

/** The contact and company of the deal. A separate component, so that nothing is searched while the dialog is closed. */
function LinkFields({ control }: { control: Control<TypedDeal, unknown, CheckedDeal> }) {
  const device = useDevice()
  const contacts = useContactSearch()
  const companies = useCompanySearch()
  const { field: company } = useController({ control, name: 'company' })
  /** The company that was filled in from the chosen contact. */
  const [filledId, setFilledId] = useState<string | null>(null)

  /** Fills in the contact's company (or none) if the field is empty or has the company that the previous contact filled in. */
  const followContact = (contact: Choice | null) => {
    if (company.value && company.value.id !== filledId) return
    const nextCompany = contact && companyChoiceOfContact(device, contact.id)
    company.onChange(nextCompany)
    setFilledId(nextCompany?.id ?? null)
  }

  return (
    <>
      <RecordPicker control={control} name="contact" kind="contacts" choices={contacts} onChosen={followContact} />
      <RecordPicker control={control} name="company" kind="companies" choices={companies} />
    </>
  )
}

function DialogButtons({ pending, onCancel }: { pending: boolean; onCancel: () => void }): ReactNode {
  return (
    <>
      <Button size="form" onClick={onCancel} disabled={pending}>
        Cancel
      </Button>
      <Button size="form" variant="primary" type="submit" pending={pending} keys={<SubmitKeys />}>
        Create Deal
      </Button>
    </>
  )
}
