import { textOf } from '#web/lib/read-unknown.ts'
import { type Operation, rowIdsOf } from '#web/data/store/operation.ts'
import { rowWordsOf } from './record-words.ts'
import { takenValueMessage } from './taken-words.ts'

const andList = new Intl.ListFormat('en-GB')

/** Maximum number of e-mail addresses in one message. */
const maxAddresses = 3

/**
 * Returns why the undo of a delete has not restored these rows: 'Another contact now has b0@x.example.' If the operation has several rows, the
 * message begins with the number of missing rows.
 */
export function unrestoredMessage(operation: Operation, missingIds: readonly string[]): string {
  const count = rowIdsOf(operation).length
  const reason = reasonOf(operation, missingIds)
  if (count === 1) return reason
  const clause = reason.charAt(0).toLowerCase() + reason.slice(1)
  return `${missingIds.length} of ${count} ${rowWordsOf(operation.table).many} could not be brought back: ${clause}`
}

/** The server leaves out a row if a unique value of it is taken, or if it was deleted more than 30 days ago. */
function reasonOf({ table, restored }: Operation, missingIds: readonly string[]): string {
  const isOne = missingIds.length === 1
  const tooLate = `${isOne ? 'It was' : 'They were'} deleted too long ago.`
  if (table !== 'contacts') return takenValueMessage(table) ?? tooLate
  const rows = missingIds.map((id) => restored?.[id])
  const addresses = rows.map((row) => textOf(row, 'email')).filter((address) => address !== null)
  if (addresses.length === 0 && rows.every(Boolean)) return tooLate
  const areAllKnown = addresses.length === rows.length && addresses.length <= maxAddresses
  if (isOne) return areAllKnown ? `Another contact now has ${addresses[0]}.` : (takenValueMessage(table) ?? tooLate)
  return `Other contacts now have ${areAllKnown ? andList.format(addresses) : 'their email addresses'}.`
}
