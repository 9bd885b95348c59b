import { useDevice } from '#web/data/browser/device.ts'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { limits } from '#shared/limits.ts'
import { addCompany } from '#web/data/add-company.ts'
import { findKnownCompany, useKnownCompany } from '#web/data/known-company.ts'
import { beginUndoable } from '#web/crm/undo-action.ts'
import { useRequiredFields } from '#web/crm/required-fields.tsx'
import { SubmitKeys } from '#web/crm/submit-keys.tsx'
import { useTagsAndNote } from '#web/crm/tags-and-note.tsx'
import { useDraft } from '#web/crm/use-draft.ts'
import type { Correction } from '#web/data/changes/correction.ts'
import type { Company } from '#web/data/server/rows.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field, FieldNeed } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { toast } from '#web/ui/toast.ts'
import { type CheckedCompany, companySchema, type TypedCompany } from './company-schema.ts'
import { KnownCompanyHint } from './known-company-hint.tsx'

export interface AddCompanyProps {
  open: boolean
  onClose: () => void
  /** The text of the toast. Default: 'Company added'; the overview passes 'Company added successfully!' (spec section 8). */
  success?: string
  /** A refused company to correct: the form starts with its values, and the new company replaces it. */
  correction?: Correction<'companies'> | null
}

/**
 * The dialog with the form for a new company. The dialog closes after the company is added (or only saved on this device), and is empty the
 * next time. After a refusal it keeps its input. If a company already has the name, the form says so, and adds another company only with
 * 'Add anyway'.
 */
export function AddCompanyForm({ open, onClose, success = 'Company added', correction = null }: AddCompanyProps) {
  const device = useDevice()
  const initialValues = typedCompany(correction)
  const form = useForm<TypedCompany, unknown, CheckedCompany>({
    resolver: standardSchemaResolver(companySchema),
    defaultValues: initialValues,
  })
  const { control, register, reset, formState, handleSubmit } = form
  const newRowId = useDraft(form, correction ? null : 'companies', initialValues)
  const pending = formState.isSubmitting
  const required = useRequiredFields('companies', correction?.row.custom)
  const tagsAndNote = useTagsAndNote('companies', correction ? null : 'companies')

  const name = useWatch({ control, name: 'name' })
  // A refused company is sent again without this check.
  const companyWithName = useKnownCompany(correction ? '' : name)
  /** Set each time the form is submitted with a name that a company already has. Then 'Add anyway' gets the focus. */
  const [submission, setSubmission] = useState<{ name: string } | null>(null)
  /** The company that had the name when the form was submitted. Shown while the form is pending, because the new company then has that name, too. */
  const [companyAtSubmit, setCompanyAtSubmit] = useState<Company | null>(null)
  const shownCompany = pending ? companyAtSubmit : companyWithName

  /** Adds the company unless another one has its name. The hint about the other company may not be shown yet, so the server is asked, too. */
  async function addUnlessKnown(company: CheckedCompany) {
    if (!required.read()) return
    setCompanyAtSubmit(companyWithName)
    if (companyWithName || (!correction && (await findKnownCompany(device, company.name))))
      return setSubmission({ name })
    await add(company)
  }

  async function add(company: CheckedCompany) {
    const custom = required.read()
    if (!custom) return
    setCompanyAtSubmit(companyWithName)
    const { run, options } = beginUndoable(device)
    const rowId = correction?.rowId ?? newRowId()
    const outcome = await run(() => addCompany(device, { ...company, custom }, rowId))
    if (outcome.status === 'refused') {
      toast.error('Error adding company', { description: outcome.message })
      return
    }
    tagsAndNote.save(outcome.id, run)
    if (outcome.status === 'saved') toast.success(success, options)
    else toast.success('Saved on this device', { description: company.name, ...options })
    onClose()
    reset()
    required.reset()
  }
  const submit = useOnce(handleSubmit(addUnlessKnown))
  const addAnyway = useOnce(handleSubmit(add))

  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={submit}
      pending={pending}
      keepsDraft={(formState.isDirty || tagsAndNote.isDirty) && !correction}
      title="Add Company"
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" pending={pending} keys={<SubmitKeys />}>
            Add Company
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-2 gap-x-4 gap-y-5 max-sm:grid-cols-1">
        <Field
          label="Company name"
          aside={<FieldNeed />}
          error={formState.errors.name?.message}
          className="col-span-full"
        >
          <Input
            {...register('name')}
            data-autofocus
            aria-required
            autoComplete="off"
            maxLength={limits.companies.name}
          />
        </Field>
        {shownCompany && (
          <KnownCompanyHint
            company={shownCompany}
            submission={submission?.name === name ? submission : null}
            onOpen={onClose}
            onAdd={addAnyway}
          />
        )}
        <Field label="Domain">
          <Input
            {...register('domain')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.companies.domain}
            placeholder="company.example"
          />
        </Field>
        <Field label="Phone">
          <Input {...register('phone')} type="tel" autoComplete="off" maxLength={limits.companies.phone} />
        </Field>
        <Field label="Website" className="col-span-full">
          <Input
            {...register('website')}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.companies.website}
            placeholder="https://www.company.example"
          />
        </Field>
        <Field label="Notes" className="col-span-full">
          <Textarea {...register('notes')} maxLength={limits.companies.notes} />
        </Field>
        {required.inputs}
        {tagsAndNote.inputs}
      </div>
    </Dialog>
  )
}

function typedCompany(correction: Correction<'companies'> | null): TypedCompany {
  const { name, domain, phone, website, notes } = correction?.row ?? {}
  return { name: name ?? '', domain: domain ?? '', phone: phone ?? '', website: website ?? '', notes: notes ?? '' }
}
