import { useState } from 'react'
import { currencies } from '#web/lib/currencies.ts'
import { limits } from '#shared/limits.ts'
import { SubmitKeys } from '#web/crm/submit-keys.tsx'
import { useDevice } from '#web/data/browser/device.ts'
import { brandField } from '#web/data/brand-fields.ts'
import { addCustomField, updateCustomField } from '#web/data/change-fields.ts'
import type { CustomTable } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field, FieldNeed } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.ts'
import {
  currencyWarning,
  fieldChanges,
  type FieldConflicts,
  fieldConflicts,
  type FieldValues,
} from './field-changes.ts'
import { type FieldType, fieldTypes, hasOptions } from './field-types.ts'
import { activeOptions, type Option, OptionsField, optionsProblem } from './options-field.tsx'

/** What the form edits: a field, or null for a new field. */
export interface FieldEdit {
  field: CustomField | null
}

interface FieldDialogProps {
  open: boolean
  edit: FieldEdit
  table: CustomTable
  /** The word for one record of the table: 'contact'. */
  one: string
  onClose: () => void
}

/** Adds a custom field, or changes its name, its options or currency, and whether it is required. The type cannot be changed. */
export function FieldDialog({ open, edit: { field }, table, one, onClose }: FieldDialogProps) {
  const device = useDevice()
  const [label, setLabel] = useState(field?.label ?? '')
  const [type, setType] = useState<FieldType>(field?.type ?? 'text')
  const [options, setOptions] = useState<readonly Option[]>(() => activeOptions(field?.options ?? []))
  const [currency, setCurrency] = useState(field?.currency ?? 'GBP')
  const [required, setRequired] = useState(field?.required ?? false)
  const [isSubmitted, setSubmitted] = useState(false)
  const [pending, setPending] = useState(false)
  /** The conflicts that the form has shown, and its warning of a new currency. */
  const [shownWarnings, setShownWarnings] = useState<FieldConflicts>({})
  const warningText = (key: keyof FieldConflicts, action = 'keep your change') =>
    shownWarnings[key] ? `${shownWarnings[key]} Save again to ${action}.` : null
  const labelProblem = isSubmitted && !label.trim() ? 'Name is required' : null
  const optionListProblem = isSubmitted && hasOptions(type) ? optionsProblem(options) : null

  const submit = useOnce(async () => {
    setSubmitted(true)
    if (!label.trim() || (hasOptions(type) && optionsProblem(options))) return
    const namedOptions = hasOptions(type) ? options.filter((option) => option.label.trim()).map(trimmedOption) : []
    const values = {
      label: label.trim(),
      options: namedOptions,
      currency: type === 'money' ? currency : null,
      required,
    }
    if (field && hasNewWarning(field, values)) return
    setPending(true)
    const outcome = await (field ? change(field, values) : addCustomField(device, { ...values, table, type }))
    setPending(false)
    if (outcome.status === 'refused')
      return toast.error(field ? 'Error updating field' : 'Error adding field', { description: outcome.message })
    if (outcome.status === 'queued') toast.success('Saved on this device', { description: values.label })
    onClose()
  })

  /** Returns the field as it is now, also if a colleague has retired it meanwhile. */
  function currentOf(opened: CustomField): CustomField {
    return brandField(device, opened.id) ?? opened
  }

  /**
   * Shows what a colleague has done meanwhile to values that the person has changed, and what a new currency does. Returns false if the form has
   * already shown it.
   */
  function hasNewWarning(opened: CustomField, values: FieldValues): boolean {
    const current = currentOf(opened)
    const conflicts = fieldConflicts(opened, current, values)
    const ofCurrency = [conflicts.currency, currencyWarning(opened, current, values)].filter(Boolean).join(' ')
    const warnings = { ...conflicts, ...(ofCurrency && { currency: ofCurrency }) }
    setShownWarnings(warnings)
    return warningKeys.some((key) => warnings[key] !== undefined && warnings[key] !== shownWarnings[key])
  }

  /** Saves the values that the person has changed since the form was opened. */
  async function change(opened: CustomField, values: FieldValues): Promise<Outcome> {
    const current = currentOf(opened)
    const changes = fieldChanges(opened, current, values)
    return Object.keys(changes).length > 0
      ? updateCustomField(device, current, changes)
      : { status: 'saved', id: opened.id }
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={submit}
      pending={pending}
      title={field ? 'Edit field' : `Add a field of a ${one}`}
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" pending={pending} keys={<SubmitKeys />}>
            {field ? 'Save' : 'Add field'}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <Field label="Name" aside={<FieldNeed />} error={labelProblem ?? warningText('label')}>
          <Input
            data-autofocus
            value={label}
            onChange={({ target }) => setLabel(target.value)}
            aria-required
            autoComplete="off"
            maxLength={limits.custom_fields.label}
          />
        </Field>
        <Field
          label="Type"
          hint={
            field
              ? 'The type of a field cannot be changed. For another type, retire this field and add a new one.'
              : null
          }
        >
          <Select value={type} onChange={setType} options={fieldTypes} disabled={field !== null} />
        </Field>
        {hasOptions(type) && (
          <OptionsField options={options} onChange={setOptions} error={optionListProblem ?? warningText('options')} />
        )}
        {type === 'money' && (
          <Field label="Currency" error={warningText('currency', 'change the currency')}>
            <Select
              value={currency}
              onChange={(chosen) => {
                setCurrency(chosen)
                // The shown warning names the currency that was chosen before.
                setShownWarnings((shown) => ({ ...shown, currency: '' }))
              }}
              options={currencies.map((code) => ({ value: code, label: code }))}
            />
          </Field>
        )}
        <label className="flex w-fit items-start gap-2.5 text-sm">
          <Checkbox checked={required} onChange={({ target }) => setRequired(target.checked)} className="mt-0.5" />
          <span>
            Required
            <span className="block text-xs text-ink3">
              Forms require a value. Records without one stay as they are.
            </span>
          </span>
        </label>
      </div>
    </Dialog>
  )
}

const warningKeys = ['label', 'options', 'currency'] as const

function trimmedOption({ id, label }: Option): Option {
  return { id, label: label.trim() }
}
