import { type Device } from '#web/data/browser/device.ts'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { newId } from '#web/lib/new-id.ts'
import { giveUp } from './mutate.ts'
import { type Operation, rowsOf } from '#web/data/store/operation.ts'
import { queue, updateQueue } from '#web/data/store/queue.ts'
import { sendWaiting } from './sender.ts'

/** Sends a failed operation again. It is a new request: what the server applied of the first one it does not apply again. */
export async function retryOperation(device: Device, id: string): Promise<void> {
  await changeOperation(device, id, (operation) => ({
    ...operation,
    id: newId(),
    state: 'waiting',
    reason: null,
    code: null,
  }))
  await sendWaiting(device)
}

/** Gives an operation up; its preview goes. What depends on it goes too. */
export async function discardOperation(device: Device, id: string): Promise<void> {
  const operation = operationOf(device, id)
  if (operation) await giveUp(device, operation.userId, id)
}

/** State deleted: puts the record back on the server and then the edit onto it. Rejects with a sentence when that cannot be done. */
export async function restoreDeleted(device: Device, id: string): Promise<void> {
  const operation = operationOf(device, id)
  if (!operation) return
  const ids = rowsOf(operation)
  const args = { p_brand_id: operation.brandId, p_table: operation.table, p_ids: ids }
  const { data, error, status } = await askServer(device, (server) => server.rpc('restore_records', args))
  if (error) throw new Error(status === 0 ? noAnswerMessage : error.message)
  if (Array.isArray(data) && data.length === 0 && !(await isThere(device, operation)))
    throw new Error('It cannot be brought back: it was deleted too long ago, or something else has its place.')
  // The version of the restored row is the server's to tell: 0 makes the sender ask for it first.
  const anew = { id: newId(), state: 'waiting', reason: null, theirsAt: null, theirsBy: null, version: 0 } as const
  await changeOperation(device, id, (present) => ({ ...present, ...anew }))
  await sendWaiting(device)
}

/** Somebody may have restored it already. */
async function isThere(device: Device, { table, brandId, rowId }: Operation): Promise<boolean> {
  const { data } = await askServer(device, (server) =>
    server.from(table).select('id').eq('brand_id', brandId).eq('id', rowId),
  )
  return (data?.length ?? 0) > 0
}

/**
 * State conflict: for each field 'mine' sends mine over theirs, 'theirs' gives mine up; one answer is for all of them. Other fields of the
 * same edit are sent in any case.
 */
export async function resolveConflict(
  device: Device,
  id: string,
  keep: 'mine' | 'theirs' | Readonly<Record<string, 'mine' | 'theirs'>>,
): Promise<void> {
  const operation = operationOf(device, id)
  if (!operation) return
  const answer = (field: string) => (typeof keep === 'string' ? keep : (keep[field] ?? 'mine'))
  const givenUp = new Set(
    operation.conflicts.filter(({ field }) => answer(field) === 'theirs').map(({ field }) => field),
  )
  const rest = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => !givenUp.has(field)))
  if (Object.keys(rest(operation.values)).length === 0) return discardOperation(device, id)
  await changeOperation(device, id, (present) => {
    const theirs = Object.fromEntries(present.conflicts.map(({ field, theirs: value }) => [field, value]))
    const mine = {
      values: rest(present.values),
      preview: rest(present.preview),
      base: rest({ ...present.base, ...theirs }),
    }
    return { ...present, ...mine, state: 'waiting', conflicts: [], reason: null, theirsAt: null, theirsBy: null }
  })
  await sendWaiting(device)
}

function operationOf(device: Device, id: string): Operation | undefined {
  return queue(device)
    .get()
    .operations.find((candidate) => candidate.id === id)
}

async function changeOperation(device: Device, id: string, change: (operation: Operation) => Operation): Promise<void> {
  const operation = operationOf(device, id)
  if (operation) await updateQueue(device, operation.userId, [], [change(operation)])
}
