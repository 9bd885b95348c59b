import { maxCustomTextLengths, fieldProblem, parseFieldText, withoutCurrency } from '#web/crm/custom-value.ts'
import { type CellResult, optionNamed, readOptions, shortened } from '#web/crm/options-cell.ts'
import { lowerNfc } from '#web/data/query/search-text.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { personLocale } from '#web/lib/calendar.ts'
import type { NumericOrder } from '#web/lib/date-names.ts'
import { readTypedDate } from '#web/lib/typed-date.ts'
import { withoutMidnight } from './date-orders.ts'
import { withDecimalPoint } from './decimal-commas.ts'
import { firstValue, withSemicolons } from './several-values.ts'

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
      const option = optionNamed(field, text)
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
