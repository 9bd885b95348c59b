import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { textOf } from '#web/lib/read-unknown.ts'
import { serverNow } from '#web/data/server/network.ts'
import { combinedOutcome, type Outcome } from '#web/data/session/outcome.ts'
import { amountFields } from '#web/data/store/amount-fields.ts'
import { readField } from '#web/data/store/row-fields.ts'
import { isSameValue } from './same-value.ts'
import { update, updateAll } from './mutate.ts'
import { chunksOf } from '#web/data/server/request-size.ts'
import type { Editable, RecordTable } from '#web/data/store/record-tables.ts'
import { editTitle } from './edit-title.ts'
import { isNameColumn } from './record-words.ts'
import { takenValueMessage } from './taken-words.ts'
import type { Deal, Task } from '#web/data/server/rows.ts'

/** The fields in which the last write wins and the user is not asked (docs/offline.md). */
const lastWriteFields = new Set(['stage_id', 'status', 'pinned'])

/**
 * Changes fields of a record. Screens show the change before this function returns, also offline. Texts are trimmed, and an empty text becomes
 * null, except in a name or a note. If `patch` changes nothing, the outcome is 'saved' without a request. `title` is the title in the queue.
 * If somebody else changed the same field, the user has to decide ('Needs attention'). Where the last write wins, nobody is asked.
 */
export async function updateRecord<Table extends RecordTable>(
  device: Device,
  table: Table,
  id: string,
  patch: Partial<Editable<Table>>,
  title?: string,
): Promise<Outcome> {
  const rows = openBrand(device).get()?.tables[table]
  const row = rows?.get(id) ?? rows?.removedRow(id)
  const values: Record<string, unknown> = {}
  for (const [field, given] of Object.entries(patch)) {
    const value = storedForm(given, isNeverNull(table, field))
    if (!row || !isSameValue(readField(row, field), value)) values[field] = value
  }
  const fields = Object.keys(values)
  if (fields.length === 0) return { status: 'saved', id }
  // Amount and currency count as one field. An edit writes both, so that it conflicts with a colleague's edit of the other one.
  if (row && fields.some((field) => amountFields.includes(field)))
    for (const field of amountFields) if (!(field in values)) values[field] = readField(row, field)
  const outcome = await update(device, {
    table,
    rowId: id,
    title: title ?? editTitle(device, table, fields, [row]),
    icon: 'stage_id' in values ? 'move' : 'edit',
    values,
    preview: fieldsSetByDatabase(device, table, values, row),
    lastWriteStands: fields.every((field) => lastWriteFields.has(field)),
  })
  return withReadableMessage(table, outcome)
}

/**
 * Applies one patch to several records (a selection that is moved or assigned), in requests of a hundred records. Screens show the change
 * before this function returns, also offline. The last write wins. If the server refuses a request, only the records of that request are
 * changed back. A single record is changed by `updateRecord`.
 */
export function updateRecords<Table extends RecordTable>(
  device: Device,
  table: Table,
  ids: readonly string[],
  patch: Partial<Editable<Table>>,
  title?: string,
): Promise<Outcome> {
  const [only] = ids
  if (only !== undefined && ids.length === 1) return updateRecord(device, table, only, patch, title)
  const rows = openBrand(device).get()?.tables[table]
  const values = Object.fromEntries(
    Object.entries(patch).map(([field, given]) => [field, storedForm(given, isNeverNull(table, field))]),
  )
  const wouldChange = (id: string) => {
    const row = rows?.get(id)
    return !row || Object.entries(values).some(([field, value]) => !isSameValue(readField(row, field), value))
  }
  return combinedOutcome(
    chunksOf(ids.filter(wouldChange)).map((rowIds) =>
      updateAll(device, {
        table,
        rowIds,
        title:
          title ??
          editTitle(
            device,
            table,
            Object.keys(values),
            rowIds.map((id) => rows?.get(id)),
            values,
          ),
        icon: 'stage_id' in values ? 'move' : 'edit',
        values,
        preview: fieldsSetByDatabase(device, table, values),
      }),
    ),
  )
}

/**
 * Returns the fields that the database will set when these fields of `row` change: closed_at and stage_since of a deal, completed_at of a task. A
 * deal that is closed already keeps its closed_at.
 */
export function fieldsSetByDatabase(
  device: Device,
  table: RecordTable,
  values: Record<string, unknown>,
  row?: object,
): Partial<Pick<Deal, 'closed_at' | 'stage_since'> & Pick<Task, 'completed_at'>> {
  if (table === 'deals' && typeof values.stage_id === 'string') {
    const kind = openBrand(device).get()?.tables.deal_stages.get(values.stage_id)?.kind
    const now = serverNow(device)
    return { stage_since: now, closed_at: kind === 'won' || kind === 'lost' ? (textOf(row, 'closed_at') ?? now) : null }
  }
  if (table === 'tasks' && values.status) return { completed_at: values.status === 'done' ? serverNow(device) : null }
  return {}
}

/** Whether a field is never null: a name, or the text of a note. (The note of a call may have an empty text.) */
function isNeverNull(table: RecordTable, field: string): boolean {
  return isNameColumn(table, field) || field === 'body'
}

/**
 * Returns a value in the form in which the database stores it: a text is trimmed, and an empty text becomes null. In a required field an
 * empty text stays, and the database decides.
 */
function storedForm(value: unknown, isRequired: boolean): unknown {
  if (typeof value !== 'string') return value ?? null
  const text = value.trim()
  return text === '' && !isRequired ? null : text
}

/** Replaces the database's message about a value that another record already has with a sentence for the user. */
function withReadableMessage(table: RecordTable, outcome: Outcome): Outcome {
  if (outcome.status !== 'refused' || outcome.code !== '23505') return outcome
  return { ...outcome, message: takenValueMessage(table) ?? outcome.message }
}
