import type { Outcome } from '#web/data/session/outcome.ts'
import { fieldWords } from './field-words.ts'
import { createsRows, rowIdsOf, type Operation } from '#web/data/store/operation.ts'
import { rowWordsOf } from './record-words.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { takenValueMessage } from './taken-words.ts'

/** The titles of refused creations that are not of the form 'Error adding …'. */
const createTitles: Partial<Record<TableName, string>> = {
  deals: 'Error creating deal',
  tasks: 'Error creating task',
}

/**
 * Returns the title for a refused operation from the error catalogue (spec section 8). For records that are not in the catalogue, returns a title of
 * the same form. The catalogue has the same title for a move of one deal and of several deals, and one title for all updates of tasks.
 */
export function refusalTitle(operation: Operation): string {
  const { table, kind } = operation
  const { one, many } = rowWordsOf(table)
  const records = rowIdsOf(operation).length === 1 ? one : many
  if (kind === 'restore') return `Error restoring ${records}`
  if (createsRows(operation)) return createTitles[table] ?? `Error adding ${one}`
  if (kind !== 'delete' && table === 'tasks') return 'Failed to update task'
  if (table === 'deals' && 'stage_id' in operation.values) return 'Error moving deal'
  return `Error ${kind === 'delete' ? 'deleting' : 'updating'} ${records}`
}

/**
 * Returns the outcome of adding a record with these values. A refusal has a readable message in place of the message of a database constraint.
 */
export function creationOutcome(outcome: Outcome, table: TableName, values: Operation['values']): Outcome {
  if (outcome.status !== 'refused') return outcome
  return { ...outcome, message: refusalMessage({ table, values, userId: '' }, outcome.message, outcome.code) }
}

/**
 * Returns the message for a refused operation: the server's message, or a readable sentence in place of the message of a database
 * constraint.
 */
export function refusalMessage(
  operation: Pick<Operation, 'table' | 'values' | 'userId'>,
  message: string,
  code: string | null,
): string {
  if (code === '23505') return takenValueMessage(operation.table) ?? message
  if (code === '23503') return `Its ${linkWords(operation)} no longer exists.`
  if (code === '42501') return 'You may not do this.'
  return message
}

const orList = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** Returns the words for the links in an operation's values: 'stage', 'contact or company'. Links to the user are left out. */
function linkWords({ values, userId }: Pick<Operation, 'values' | 'userId'>): string {
  const links = Object.entries(values).filter(
    ([field, value]) => field.endsWith('_id') && field !== 'brand_id' && value !== null && value !== userId,
  )
  return orList.format(links.map(([field]) => fieldWords(field))) || 'stage or linked record'
}
