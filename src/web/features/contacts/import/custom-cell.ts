import { customLengths, problemOf, valueOf } from '#web/crm/custom-value.ts'
import { fold } from '#web/data/query/search-text.ts'
import type { CustomField } from '#web/data/server/rows.ts'

/** What a cell of a file is in a custom field; `value` null: the cell is empty. */
export type ReadCell = { value: unknown } | { problem: string }

/** Reads a cell, which is trimmed, by the type of its field: numbers and dates as people type them, options by their labels. */
export function readCell(field: CustomField, text: string): ReadCell {
  if (text === '') return { value: null }
  if (text.length > longest) return { problem: `Longer than ${longest.toLocaleString('en-GB')} characters` }
  switch (field.type) {
    case 'yes_no':
      return yesOrNo(text)
    case 'choice': {
      const option = optionOf(field, text)
      return option ? { value: option.id } : { problem: `There is no option “${shown(text)}”` }
    }
    case 'choices':
      return severalOf(field, text)
    default:
      return typed(field, text)
  }
}

/** No field takes more. */
const longest = 10_000

function typed(field: CustomField, text: string): ReadCell {
  const most = customLengths[field.type]
  if (most && text.length > most) return { problem: `Longer than ${most.toLocaleString('en-GB')} characters` }
  const plain = field.type === 'date' ? text.replace(midnight, '') : withoutCurrency(field, text)
  const problem = problemOf(field, plain)
  return problem === null ? { value: valueOf(field, plain) } : { problem }
}

/** Spreadsheets write a day as its first moment. */
const midnight = /[T ]00:00(:00(\.0+)?)?Z?$/

/** '1,200 EUR' in a field of euros. */
function withoutCurrency({ type, currency }: CustomField, text: string): string {
  if (type !== 'money' || !currency) return text
  return text.replace(new RegExp(`^${currency}\\b|\\b${currency}$|(?<=\\d)${currency}$`, 'i'), '').trim()
}

const words = (text: string) => new Set(text.split(' '))
const yes = words('yes y true t 1 x ✓ on ja j oui o si s sim tak kylla kyllä sí')
const no = words('no n false f 0 off nein non nej nee nao nie ei não')

function yesOrNo(text: string): ReadCell {
  const word = fold(text)
  if (yes.has(word) || no.has(word)) return { value: yes.has(word) }
  return { problem: `“${shown(text)}” is neither yes nor no` }
}

function severalOf(field: CustomField, text: string): ReadCell {
  const ids = new Set<string>()
  for (let rest = text; rest !== ''; ) {
    const found = longestAtStart(field, rest)
    if (!found) return { problem: `There is no option “${shown(rest.split(/[;,]/)[0]?.trim() ?? '')}”` }
    if (found.id !== null) ids.add(found.id)
    rest = rest.slice(found.length).replace(/^\s*[;,]\s*/, '')
  }
  // In the order of the options, as it is stored.
  const ordered = field.options.map(({ id }) => id).filter((id) => ids.has(id))
  return { value: ordered.length > 0 ? ordered : null }
}

/** The option that the text begins with, the longest one: labels may contain commas. Nothing between two commas is no option. */
function longestAtStart(field: CustomField, text: string): { id: string | null; length: number } | null {
  if (/^[;,]/.test(text)) return { id: null, length: 0 }
  for (let end = endBefore(text, longestLabel + 2); end > 0; end = endBefore(text, end)) {
    const option = optionOf(field, text.slice(0, end).trim())
    if (option) return { id: option.id, length: end }
  }
  return null
}

const longestLabel = 100

/** Where a label may end, before this place: at a comma, a semicolon or the end of the text. */
function endBefore(text: string, place: number): number {
  if (text.length < place) return text.length
  return Math.max(text.lastIndexOf(';', place - 1), text.lastIndexOf(',', place - 1))
}

/** By label, else by id; those in use before those that were retired. */
function optionOf({ options }: CustomField, text: string) {
  const label = text.toLowerCase()
  const named = options.filter((option) => option.label.toLowerCase() === label)
  return named.find(({ retired }) => !retired) ?? named[0] ?? options.find(({ id }) => id === text)
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
