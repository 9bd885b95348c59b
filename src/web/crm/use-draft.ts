import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useDevice } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { storeFormDraft, readFormDraft } from '#web/data/store/drafts.ts'
import { offerDraft, submittedDraft } from './submitted-draft.ts'
import type { Choice } from '#web/lib/choice.ts'
import { newId } from '#web/lib/new-id.ts'
import { textOf } from '#web/lib/read-unknown.ts'

/**
 * Stores the input of a form as a draft of this person and brand until it is submitted; the draft survives a reload of the tab. `name`
 * identifies the form; null stores nothing. `initial`: the values of the empty form. `filledField`: a field that always has a value. A form in
 * which only this field has a value is not stored.
 *
 * Returns a function that returns an id for the new record, a new one each time. Call it right before the record is created with this id, and only
 * if the operation has all values of the form. The draft is then stored with the id. If the page is reloaded before the form is answered, and the
 * operation was stored, the draft is not offered again (`offerDraft`).
 */
export function useDraft<Typed extends FieldValues, Checked>(
  form: Pick<UseFormReturn<Typed, unknown, Checked>, 'reset' | 'subscribe'>,
  name: string | null,
  initial: Typed,
  filledField: string | null = null,
): () => string {
  const device = useDevice()
  // This is the brand at the first render. If another brand is opened, the draft of this form still belongs to the first one.
  const [data] = useState(() => openBrand(device).get())
  const [empty] = useState(initial)
  const { reset, subscribe } = form
  useLayoutEffect(() => {
    if (!data || name === null) return
    return offerDraft(data, name, (draft) => reset(withDraft(empty, draft), { keepDefaultValues: true }))
  }, [data, name, empty, reset])
  /** The id of the last submission. */
  const rowId = useRef('')
  useEffect(() => {
    if (!data || name === null) return
    return subscribe({
      formState: { values: true },
      callback: ({ values, isSubmitting }) => {
        const draft = isEmpty(values, empty, filledField) ? null : values
        // An edit after a refusal is not in any operation, so its draft has no id.
        storeFormDraft(
          device,
          data,
          name,
          draft && isSubmitting && rowId.current ? submittedDraft(draft, rowId.current) : draft,
        )
      },
    })
  }, [device, data, name, empty, filledField, subscribe])
  return () => {
    rowId.current = newId()
    const draft = data && name !== null ? readFormDraft(device, data, name) : undefined
    if (data && name !== null && typeof draft === 'object' && draft)
      storeFormDraft(device, data, name, submittedDraft(draft, rowId.current))
    return rowId.current
  }
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
