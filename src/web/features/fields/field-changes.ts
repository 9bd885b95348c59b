import type { CustomField } from '#web/data/server/rows.ts'
import type { Option } from './options-field.tsx'

/** The values that the form of a field sets. */
export type FieldValues = Pick<CustomField, 'label' | 'options' | 'currency' | 'required'>

/**
 * Returns the values that a person has changed in the form of a field. `opened`: the field when the form was opened. `current`: the field as it
 * is now, so that the changes of colleagues to the other values and options stay.
 */
export function fieldChanges(opened: CustomField, current: CustomField, values: FieldValues): Partial<FieldValues> {
  const { label, options, currency, required } = values
  const [openedOptions, currentOptions] = [active(opened.options), active(current.options)]
  return {
    ...(label !== opened.label && { label }),
    ...(!isSameList(options, openedOptions) && { options: mergedOptions(openedOptions, currentOptions, options) }),
    ...(currency !== opened.currency && { currency }),
    ...(required !== opened.required && { required }),
  }
}

/** Applies the changes between `opened` and `edited` to `current`. Options that a colleague has added come last. */
function mergedOptions(
  opened: readonly Option[],
  current: readonly Option[],
  edited: readonly Option[],
): CustomField['options'] {
  const [openedById, currentById] = [byId(opened), byId(current)]
  const ownOptions = edited.flatMap((option) => {
    const before = openedById.get(option.id)
    const isUntouched = before?.label === option.label
    // An option that the person has not renamed is taken as it is now, because a colleague may have renamed or removed it.
    return isUntouched ? (currentById.get(option.id) ?? []) : option
  })
  const known = byId([...opened, ...edited])
  return [...ownOptions, ...current.filter(({ id }) => !known.has(id))]
}

function active(options: CustomField['options']): readonly Option[] {
  return options.filter(({ retired }) => !retired)
}

function byId(options: readonly Option[]): ReadonlyMap<string, Option> {
  return new Map(options.map((option) => [option.id, option]))
}

function isSameList(a: readonly Option[], b: readonly Option[]): boolean {
  return a.length === b.length && a.every(({ id, label }, index) => id === b[index]?.id && label === b[index].label)
}
