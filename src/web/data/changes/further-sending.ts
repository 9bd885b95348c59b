import { judgeAgainstServer, settledWithRow } from './judge-against-server.ts'
import { sendForMany } from './send-many.ts'

/** The code of `send` that is seldom needed, for reads and for operations on many rows. Its file is loaded when it is needed first. */
export const furtherSending = { judgeAgainstServer, settledWithRow, sendForMany }
