import { maxCustomTextLengths, fieldProblem, parseFieldText, withoutCurrency } from '#web/crm/custom-value.ts'
import { lowerNfc } from '#web/data/query/search-text.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { personLocale } from '#web/lib/calendar.ts'
import type { NumericOrder } from '#web/lib/date-names.ts'
import { readTypedDate } from '#web/lib/typed-date.ts'
import { withoutMidnight } from './date-orders.ts'
import { withDecimalPoint } from './decimal-commas.ts'
import { firstValue, withSemicolons } from './several-values.ts'

/** The result of reading a cell for a custom field: the field's value (null if the cell is empty), or why the cell cannot be read. */
export type CellResult = { value: unknown } | { problem: string }

/**
 * Reads a trimmed cell according to the type of its field: numbers and dates as people type them, options by their labels. `order`: the order
 * of numbers in the dates of the cell's column; undefined for the order of the person's locale. `hasDecimalCommas`: whether the numbers of the
 * column have a comma as the decimal mark.
 */
export function readCell(field: CustomField, text: string, order?: NumericOrder, hasDecimalCommas = false): CellResult {
  if (text === '') return { value: null }
  if (text.length > maxCellLength) return { problem: `Longer than ${maxCellLength.toLocaleString('en-GB')} characters` }
  switch (field.type) {
    case 'yes_no':
      return yesOrNo(text)
    case 'choice': {
      const option = optionOf(field, text)
      return option ? { value: option.id } : { problem: `There is no option “${shortened(text)}”` }
    }
    case 'date':
      return readDate(text, order)
    case 'choices':
      return readOptions(field, withSemicolons(text))
    case 'number':
      return readFieldText(field, hasDecimalCommas ? withDecimalPoint(text) : text)
    case 'link':
      return readFieldText(field, firstValue(text))
    default:
      return readFieldText(field, text)
  }
}

/** Maximum length of a cell, in characters. No field accepts more. */
const maxCellLength = 10_000

function readFieldText(field: CustomField, text: string): CellResult {
  const maxLength = maxCustomTextLengths[field.type]
  if (maxLength && text.length > maxLength)
    return { problem: `Longer than ${maxLength.toLocaleString('en-GB')} characters` }
  // A column of amounts may have the currency in each row, also where there is no amount.
  if (withoutCurrency(field, text) === '') return { value: null }
  const problem = fieldProblem(field, text)
  return problem === null ? { value: parseFieldText(field, text) } : { problem }
}

/** Computed once, because a file may have many dates, and Intl takes up to 0.4 ms to find the locale. */
const locale = personLocale()

function readDate(text: string, order: NumericOrder | undefined): CellResult {
  const read = readTypedDate(withoutMidnight(text), { locale, order, fullYear: true })
  return read && 'problem' in read ? read : { value: read?.day ?? null }
}

const wordSet = (text: string) => new Set(text.split(' '))
const yesWords = wordSet('yes y true t 1 x ✓ on ja j oui o si s sim tak kylla kyllä sí')
const noWords = wordSet('no n false f 0 off nein non nej nee nao nie ei não')

function yesOrNo(text: string): CellResult {
  const word = lowerNfc(text)
  if (yesWords.has(word) || noWords.has(word)) return { value: yesWords.has(word) }
  return { problem: `“${shortened(text)}” is neither yes nor no` }
}

function readOptions(field: CustomField, text: string): CellResult {
  const ids = new Set<string>()
  for (let remaining = text; remaining !== ''; ) {
    const option = longestOptionAtStart(field, remaining)
    if (!option) return { problem: `There is no option “${shortened(remaining.split(/[;,]/)[0]?.trim() ?? '')}”` }
    if (option.id !== null) ids.add(option.id)
    remaining = remaining.slice(option.length).replace(/^\s*[;,]\s*/, '')
  }
  // Stored in the order of the options.
  const ordered = field.options.map(({ id }) => id).filter((id) => ids.has(id))
  return { value: ordered.length > 0 ? ordered : null }
}

/**
 * Returns the longest option that the text begins with (labels may contain commas), and its length; null if there is none. If the text
 * begins with a comma or semicolon, the option before it is empty: then `id` is null and `length` is 0.
 */
function longestOptionAtStart(field: CustomField, text: string): { id: string | null; length: number } | null {
  if (/^[;,]/.test(text)) return { id: null, length: 0 }
  for (let end = endBefore(text, maxLabelLength + 2); end > 0; end = endBefore(text, end)) {
    const option = optionOf(field, text.slice(0, end).trim())
    if (option) return { id: option.id, length: end }
  }
  return null
}

/** Maximum length of an option's label, in characters. */
const maxLabelLength = 100

/** Returns the last index before `index` where a label may end: at a comma, a semicolon or the end of the text; -1 if there is none. */
function endBefore(text: string, index: number): number {
  if (text.length < index) return text.length
  return Math.max(text.lastIndexOf(';', index - 1), text.lastIndexOf(',', index - 1))
}

/** Finds an option by label, else by id. Active options are preferred to retired ones. */
function optionOf({ options }: CustomField, text: string) {
  const label = text.toLowerCase()
  const optionsWithLabel = options.filter((option) => option.label.toLowerCase() === label)
  return (
    optionsWithLabel.find(({ retired }) => !retired) ?? optionsWithLabel[0] ?? options.find(({ id }) => id === text)
  )
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
