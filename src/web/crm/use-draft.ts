import { useEffect, useLayoutEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useDevice } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { storeFormDraft, readFormDraft } from '#web/data/store/drafts.ts'
import type { Choice } from '#web/lib/choice.ts'
import { textOf } from '#web/lib/read-unknown.ts'

/**
 * Stores the input of a form as a draft of this person and brand until it is submitted; the draft survives a reload of the tab. `name`
 * identifies the form; null stores nothing. `initial`: the values of the empty form. `filledField`: a field that always has a value. A form in
 * which only this field has a value is not stored.
 */
export function useDraft<Typed extends FieldValues, Checked>(
  form: Pick<UseFormReturn<Typed, unknown, Checked>, 'reset' | 'subscribe'>,
  name: string | null,
  initial: Typed,
  filledField: string | null = null,
): void {
  const device = useDevice()
  // This is the brand at the first render. If another brand is opened, the draft of this form still belongs to the first one.
  const [data] = useState(() => openBrand(device).get())
  const [empty] = useState(initial)
  const { reset, subscribe } = form
  useLayoutEffect(() => {
    const draft = data && name !== null ? readFormDraft(device, data, name) : undefined
    if (draft !== undefined) reset(withDraft(empty, draft), { keepDefaultValues: true })
  }, [device, data, name, empty, reset])
  useEffect(() => {
    if (!data || name === null) return
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => storeFormDraft(device, data, name, isEmpty(values, empty, filledField) ? null : values),
    })
  }, [device, data, name, empty, filledField, subscribe])
}

/**
 * Returns the values of the empty form, overwritten by the valid values of the draft. Values may be invalid because another version of the
 * app stored the draft.
 */
function withDraft<Typed extends FieldValues>(empty: Typed, draft: unknown): Typed {
  const draftEntries = typeof draft === 'object' && draft !== null ? Object.entries(draft) : []
  const validEntries = draftEntries.filter(([field, value]) => {
    const emptyValue: unknown = empty[field]
    if (typeof value === 'string') return emptyValue === undefined || typeof emptyValue === 'string'
    return typeof emptyValue === 'object' && (value === null || isChoice(value))
  })
  return Object.assign({ ...empty }, Object.fromEntries(validEntries))
}

function isChoice(value: unknown): boolean {
  return textOf(value, 'id') !== null && textOf(value, 'label') !== null
}

function isEmpty(values: FieldValues, empty: FieldValues, filledField: string | null): boolean {
  return Object.entries(values).every(
    ([field, value]) => field === filledField || JSON.stringify(value) === JSON.stringify(empty[field]),
  )
}

/** Returns the draft name of a form that is prefilled from another record: each prefilled form has its own draft. */
export function draftName(form: string, preset: Readonly<Record<string, Choice | null>> = {}): string {
  return [form, ...Object.values(preset).map((choice) => choice?.id ?? '')].join(':')
}
