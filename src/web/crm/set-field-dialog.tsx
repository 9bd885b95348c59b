import { useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { nounOf } from '#web/data/changes/record-words.ts'
import { useCustomFields } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { countOf } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { controlOf, type Typed, typedFault, writtenOf } from './required-fields.tsx'
import { setField } from './set-field.ts'
import { SubmitKeys } from './submit-keys.tsx'

interface SetFieldDialogProps {
  open: boolean
  table: OwnedTable
  ids: readonly string[]
  onClose: () => void
}

/** Sets one custom field of the selected records, or empties it. */
export function SetFieldDialog({ open, table, ids, onClose }: SetFieldDialogProps) {
  const device = useDevice()
  const fields = useCustomFields(table)
  const [fieldId, setFieldId] = useState<string | null>(null)
  const [typed, setTyped] = useState<Typed[string]>('')
  const [isSubmitted, setSubmitted] = useState(false)
  const { one, many } = nounOf(table)
  const field = fields.find(({ id }) => id === fieldId) ?? fields[0]
  const records = countOf(ids.length, one, many)
  const isEmpty = typed.length === 0
  const fault = isSubmitted && field ? faultOf(field, typed) : null

  function submit() {
    setSubmitted(true)
    if (!field || faultOf(field, typed) !== null) return
    onClose()
    void setField(device, table, ids, field, writtenOf(field, typed))
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
            {isEmpty ? 'Empty' : 'Set'} field
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Field">
          <Select
            value={field?.id ?? null}
            options={fields.map(({ id, label }) => ({ value: id, label }))}
            onChange={(id) => {
              setFieldId(id)
              setTyped('')
              setSubmitted(false)
            }}
          />
        </Field>
        {field && (
          <Field key={field.id} label="Value" error={fault}>
            {controlOf(field, typed, setTyped, false)}
          </Field>
        )}
        {isEmpty && !field?.required && <p className="text-sm text-ink2">Without a value the field is emptied.</p>}
      </div>
    </Dialog>
  )
}

function faultOf(field: CustomField, typed: Typed[string]): string | null {
  return typedFault(field, typed) ?? (field.required && typed.length === 0 ? `${field.label} is required` : null)
}
