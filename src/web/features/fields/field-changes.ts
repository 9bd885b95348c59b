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
  const [openedOptions, currentOptions] = [withoutRetired(opened.options), withoutRetired(current.options)]
  return {
    ...(label !== opened.label && { label }),
    ...(!isSameList(options, openedOptions) && { options: mergedOptions(openedOptions, currentOptions, options) }),
    ...(currency !== opened.currency && { currency }),
    ...(required !== opened.required && { required }),
  }
}

/** The values that both the person and a colleague have changed, each with a sentence that says what the colleague has done. */
export type FieldConflicts = Partial<Record<'label' | 'options' | 'currency', string>>

/**
 * Returns the conflicts of the form with `current`: the name, the currency, and options by their ids. A conflict is a value that differs between
 * `opened`, `current` and `values`. An option that is in only one of them was added or removed. `required` has no conflicts, because it has only
 * two values.
 */
export function fieldConflicts(opened: CustomField, current: CustomField, values: FieldValues): FieldConflicts {
  const isConflict = (key: 'label' | 'currency') =>
    values[key] !== opened[key] && current[key] !== opened[key] && values[key] !== current[key]
  const options = optionConflicts(
    withoutRetired(opened.options),
    byId(withoutRetired(current.options)),
    byId(values.options),
  )
  return {
    ...(isConflict('label') && { label: `A colleague changed this to “${current.label}” meanwhile.` }),
    ...(isConflict('currency') && { currency: `A colleague changed this to “${current.currency}” meanwhile.` }),
    ...(options.length > 0 && { options: options.join(' ') }),
  }
}

/**
 * Returns a sentence that says what a new currency does to the stored values, which are not converted. Null if the person has not changed the
 * currency, or if `current` has it already. It has the codes of the currencies, because several of them have the symbol $ or kr.
 */
export function currencyWarning(opened: CustomField, current: CustomField, { currency }: FieldValues): string | null {
  if (!currency || !current.currency || currency === opened.currency || currency === current.currency) return null
  return `Values stay as they are: 500 ${current.currency} becomes 500 ${currency}.`
}

type OptionsById = ReadonlyMap<string, Option>

function optionConflicts(opened: readonly Option[], current: OptionsById, edited: OptionsById): string[] {
  return opened.flatMap(({ id, label }) => {
    const [theirs, own] = [current.get(id)?.label, edited.get(id)?.label]
    if (theirs === label || own === label || theirs === own) return []
    const what = theirs === undefined ? `removed “${label}”` : `changed “${label}” to “${theirs}”`
    return `A colleague ${what} meanwhile.`
  })
}

/**
 * Applies the changes between `opened` and `edited` to `current`. The options have the person's order if the person has moved one, otherwise the
 * current order. An option that this order lacks comes after the option that precedes it in the other order.
 */
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
  const [known, ownById] = [byId([...opened, ...edited]), byId(ownOptions)]
  const stayingOptions = current.flatMap((option) => (known.has(option.id) ? (ownById.get(option.id) ?? []) : option))
  const hasMoved = sharedIds(edited, openedById) !== sharedIds(opened, byId(edited))
  return hasMoved ? withMissing(ownOptions, stayingOptions) : withMissing(stayingOptions, ownOptions)
}

/** Returns the ids of the options that `others` has, too, in their order. */
function sharedIds(options: readonly Option[], others: OptionsById): string {
  return options.flatMap(({ id }) => (others.has(id) ? id : [])).join()
}

/** Adds the options of `others` that are missing in `options`, each after the option that precedes it in `others`. Returns a new list. */
function withMissing(options: readonly Option[], others: readonly Option[]): CustomField['options'] {
  const merged = [...options]
  for (const [index, option] of others.entries()) {
    if (merged.some(({ id }) => id === option.id)) continue
    const before = merged.findIndex(({ id }) => id === others[index - 1]?.id)
    merged.splice(before + 1, 0, option)
  }
  return merged
}

function withoutRetired(options: CustomField['options']): readonly Option[] {
  return options.filter(({ retired }) => !retired)
}

function byId(options: readonly Option[]): OptionsById {
  return new Map(options.map((option) => [option.id, option]))
}

function isSameList(a: readonly Option[], b: readonly Option[]): boolean {
  return a.length === b.length && a.every(({ id, label }, index) => id === b[index]?.id && label === b[index].label)
}
