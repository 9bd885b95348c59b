import type { CustomField } from '#web/data/server/rows.ts'
import { listOf } from '#web/lib/read-unknown.ts'

/** The result of reading a cell for a custom field: the field's value (null if the cell is empty), or why the cell cannot be read. */
export type CellResult = { value: unknown } | { problem: string }

/** Returns the cell that an export writes for one chosen option: its label, or its id if an import would find another option by the label. */
export function optionCell(field: CustomField, id: unknown): string {
  const option = field.options.find((each) => each.id === id)
  if (!option) return ''
  return optionNamed(field, option.label) === option ? option.label : option.id
}

/** The separators of an exported cell, in the order in which they are tried. */
const separators = ['; ', ' ; ']

/**
 * Returns the cell that an export writes for several chosen options: their labels, separated by semicolons. If an import would read other
 * options in this cell, for example because a label contains a semicolon, the cell has another separator, or the ids of the options.
 */
export function optionsCell(field: CustomField, chosenIds: readonly unknown[]): string {
  const ids = field.options.map(({ id }) => id).filter((id) => chosenIds.includes(id))
  const cells = ids.map((id) => optionCell(field, id))
  const readable = separators.map((separator) => cells.join(separator)).find((text) => isReadAs(field, text, ids))
  return readable ?? ids.join('; ')
}

/** Whether an import reads exactly these options in a cell. It takes ':::' for a separator, also inside a label. */
function isReadAs(field: CustomField, text: string, ids: readonly string[]): boolean {
  const result = readOptions(field, text)
  return !text.includes(':::') && 'value' in result && listOf(result.value).join('\n') === ids.join('\n')
}

/** Reads a cell with the labels or the ids of options, separated by commas or semicolons. */
export function readOptions(field: CustomField, text: string): CellResult {
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
    const option = optionNamed(field, text.slice(0, end).trim())
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
export function optionNamed({ options }: CustomField, text: string) {
  const label = text.toLowerCase()
  const optionsWithLabel = options.filter((option) => option.label.toLowerCase() === label)
  return (
    optionsWithLabel.find(({ retired }) => !retired) ?? optionsWithLabel[0] ?? options.find(({ id }) => id === text)
  )
}

export function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
