import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { useCustomFields } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { countOf } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.ts'
import {
  customFieldControl,
  isChosenFromOptions,
  type TypedValues,
  inputProblem,
  enteredValue,
} from './required-fields.tsx'
import { SubmitKeys } from './submit-keys.tsx'

interface SetFieldDialogProps {
  open: boolean
  table: OwnedTable
  count: number
  /** The selected records. Undefined if all records that match a query are selected. */
  ids?: readonly string[] | undefined
  onSet: (field: CustomField, value: unknown) => void
  onClose: () => void
}

/**
 * Sets one custom field of the selected records. With its checkbox, the dialog empties the field instead; a required field has no checkbox. The
 * only field of a table is chosen at first. If the chosen field is retired meanwhile, the dialog says so, and its input is cleared. If all selected
 * records are deleted meanwhile, the selection and the dialog are removed, and a toast says so.
 */
export function SetFieldDialog({ open, table, count, ids, onSet, onClose }: SetFieldDialogProps) {
  const device = useDevice()
  const fields = useCustomFields(table)
  const [chosen, setChosen] = useState(fields.length === 1 ? fields[0] : undefined)
  const [retiredLabel, setRetiredLabel] = useState<string | null>(null)
  const [typed, setTyped] = useState<TypedValues[string]>('')
  const [isEmptyTicked, setEmptyTicked] = useState(false)
  const [isSubmitted, setSubmitted] = useState(false)
  const body = useRef<HTMLDivElement>(null)
  const { one, many } = rowWordsOf(table)
  const field = fields.find(({ id }) => id === chosen?.id)
  const records = countOf(count, one, many)
  // The field may have become required after the checkbox was ticked.
  const isEmptying = isEmptyTicked && !field?.required
  const problem = isSubmitted && field && !isEmptying ? problemOf(field, typed) : null

  const reportDeleted = useEffectEvent(() => {
    const rows = openBrand(device).get()?.tables[table]
    // A record that is only not on this device, or is in another brand, was not deleted.
    if (!rows || !ids?.every((id) => rows.removedRow(id))) return
    const deleted = ids.length === 1 ? `${one} was` : `${many} were`
    toast.error(`The selected ${deleted} deleted meanwhile`, { description: 'No field was set.' })
  })
  useEffect(() => () => reportDeleted(), [])

  function choose(to: CustomField | undefined) {
    setChosen(to)
    setTyped('')
    setEmptyTicked(false)
    setSubmitted(false)
  }

  if (chosen && !field) {
    choose(undefined)
    setRetiredLabel(chosen.label)
  }

  function submit() {
    setSubmitted(true)
    if (!field || (!isEmptying && problemOf(field, typed) !== null)) {
      // The timer runs after the errors are rendered. Then the first invalid control gets the focus.
      setTimeout(() => body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return
    }
    onClose()
    onSet(field, isEmptying ? null : chosenValue(field, typed))
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={submit}
      width="small"
      title={`Set a field of ${records}`}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" keys={<SubmitKeys />}>
            {isEmptying ? 'Empty field' : 'Set field'}
          </Button>
        </>
      }
    >
      <div ref={body} className="flex flex-col gap-4">
        <Field
          label="Field"
          error={
            retiredLabel !== null
              ? `“${retiredLabel}” was retired meanwhile.`
              : isSubmitted && !field
                ? 'Choose a field'
                : null
          }
        >
          <Select
            value={field?.id ?? null}
            placeholder="Choose a field…"
            options={fields.map(({ id, label }) => ({ value: id, label }))}
            onChange={(fieldId) => {
              choose(fields.find(({ id }) => id === fieldId))
              setRetiredLabel(null)
            }}
          />
        </Field>
        {field && !isEmptying && (
          <Field key={field.id} label="Value" error={problem}>
            {customFieldControl(field, typed, setTyped, false)}
          </Field>
        )}
        {field && !field.required && (
          <label className="flex items-start gap-3 text-sm select-none max-sm:min-h-11 max-sm:py-2.5">
            <Checkbox
              className="mt-0.5"
              checked={isEmptyTicked}
              onChange={({ target }) => {
                setEmptyTicked(target.checked)
                setSubmitted(false)
              }}
            />
            Empty the field instead
          </label>
        )}
      </div>
    </Dialog>
  )
}

function problemOf(field: CustomField, typed: TypedValues[string]): string | null {
  const missingMessage = isChosenFromOptions(field) ? 'Choose a value' : 'Type a value'
  return inputProblem(field, typed) ?? (chosenValue(field, typed) === null ? missingMessage : null)
}

/** Returns the value to set, or null if there is none. An option that was retired after it was chosen counts as no value. */
function chosenValue(field: CustomField, typed: TypedValues[string]): unknown {
  const value = enteredValue(field, typed)
  const isRetired = (id: unknown) => field.options.some((option) => option.id === id && option.retired)
  if (!Array.isArray(value)) return isRetired(value) ? null : value
  const remaining = value.filter((id) => !isRetired(id))
  return remaining.length > 0 ? remaining : null
}
