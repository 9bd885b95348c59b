import { valuesToSend } from '#web/data/store/row-fields.ts'
import type { Device } from '#web/data/browser/device.ts'
import type { Answer } from './answer.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { sendRequest } from './request.ts'
import type { rareSendCode } from './rare-send-code.ts'
import { loadRareSendCode } from './load-rare-send-code.ts'
import type { SendResult } from './send-result.ts'

/**
 * Sends an operation once, with its key. If the answer does not contain the row, reads the row. An update with version 0 is not sent: its row is
 * only read and compared. Never throws.
 */
export async function send(device: Device, operation: Operation): Promise<SendResult> {
  // Version 0: the version is not known (after a call or a restore), or the row has to be compared first (`rebaseLaterEdits`). So the row is read.
  if (operation.kind === 'update' && operation.version === 0)
    return runRareCode(({ judgeAgainstServer }) => judgeAgainstServer(device, operation))
  if (operation.kind === 'update-all' || operation.kind === 'delete' || operation.kind === 'restore')
    return runRareCode(({ sendForMany }) => sendForMany(device, operation))
  const answer = await sendOnce(device, operation)
  const settledWith = (rowId: string) => runRareCode(({ settledWithRow }) => settledWithRow(device, operation, rowId))
  if (answer.kind === 'already-applied') return settledWith(answer.rowId ?? operation.rowId)
  if (answer.kind === 'refused' && operation.kind === 'insert' && answer.code === '23505')
    return runRareCode(({ settledIfInserted }) => settledIfInserted(device, operation, answer))
  if (answer.kind !== 'applied') return answer
  if (operation.kind === 'call') return settledWith(typeof answer.value === 'string' ? answer.value : operation.rowId)
  const row = answer.rows?.[0]
  if (row) return { kind: 'settled', rowId: row.id, row, overtakenBy: null }
  return operation.kind === 'update'
    ? runRareCode(({ judgeAgainstServer }) => judgeAgainstServer(device, operation, true))
    : settledWith(operation.rowId)
}

/** Loads rare-send-code.ts and runs its code. If the file does not load, the operation waits. */
function runRareCode(run: (code: typeof rareSendCode) => Promise<SendResult>): Promise<SendResult> {
  return loadRareSendCode().then(run, () => ({ kind: 'wait' }))
}

function sendOnce(device: Device, operation: Operation): Promise<Answer> {
  const { table, values, rowId, brandId, version } = operation
  if (operation.kind === 'call') {
    const { name, args } = operation.call ?? { name: '', args: {} }
    return sendRequest(device, operation, (server) => server.rpc(name, args))
  }
  if (operation.kind === 'insert')
    return sendRequest(device, operation, (server) => server.from(table).insert(valuesToSend(values)).select())
  return sendRequest(device, operation, (server) =>
    server
      .from(table)
      .update(valuesToSend(values))
      .eq('id', rowId)
      .eq('brand_id', brandId)
      .eq('version', version)
      .select(),
  )
}
