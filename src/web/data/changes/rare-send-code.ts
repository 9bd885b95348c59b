import { resendableEdit } from './after-restore.ts'
import { judgeUpdate } from './conflict.ts'
import { readMergedId } from '#web/data/store/merged-ids.ts'
import { judgeAgainstServer, settledIfInserted, settledWithRow } from './judge-against-server.ts'
import { readCurrentRows, readDeletion } from './read-current.ts'
import { sendForMany } from './send-many.ts'
import { restoreOnServer } from './restore-on-server.ts'
import { settleMerged } from './settle-merged.ts'
import { settleChanged, settleConflict, settleRefused, settleRestore } from './settle-rare-results.ts'

/**
 * The code of `send` that is rarely needed: for reads, for operations on many rows, and for answers that need more than storing a row. This file is
 * loaded when it is first needed. Other files get this code from `loadRareSendCode` too, so that the build puts all of it into one file, which can be
 * requested again after a failure.
 */
export const rareSendCode = {
  resendableEdit,
  restoreOnServer,
  judgeAgainstServer,
  judgeUpdate,
  settledIfInserted,
  settledWithRow,
  sendForMany,
  settleMerged,
  settleChanged,
  settleConflict,
  settleRefused,
  settleRestore,
  readCurrentRows,
  readDeletion,
  readMergedId,
}
