import type { Device } from '#web/data/browser/device.ts'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import { rpcWithRetries } from '#web/data/server/rpc-with-retries.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { sessionState } from '#web/data/session/session.ts'
import { beginWork } from '#web/lib/begin-work.ts'

/** SQLSTATE query_canceled: the statement took longer than the server allows. */
const canceledCode = '57014'
/** Maximum time for one piece: a call of an RPC, with all its attempts (ms). */
const pieceTimeoutMs = 60_000

/** An RPC that does a part of the work of a change per call. */
export interface PieceCall {
  name: 'clear_brand' | 'release_records' | 'clear_deal_stage' | 'clear_pipeline' | 'apply_stage_kind'
  args: Readonly<Record<string, unknown>>
  /** Gets the numbers of the records that each call has changed, by table. A call whose answer was lost is not counted. */
  onCounts?: (counts: unknown) => void
}

interface PieceAnswer {
  done: boolean
  counts?: unknown
}

const tooLongMessage = 'This takes the server too long'

/**
 * Sends a change that may write more records than one request can. If the server cancels the change because it takes too long, sends each call that
 * `readCalls` returns, again and again until its work is done, and then sends the change again. Each of these requests is called a piece. A piece
 * without an answer is sent again, for up to a minute. After a failure the finished pieces are not undone, and the message says that a part is done,
 * unless the server has refused to continue.
 */
export async function inPieces(
  device: Device,
  change: () => Promise<Outcome>,
  readCalls: () => Promise<readonly PieceCall[]>,
): Promise<Outcome> {
  const outcome = await change()
  if (!isCanceled(outcome)) return outcome
  const userId = sessionState(device).get().session?.userId ?? ''
  const endWork = beginWork()
  let hasFinishedPiece = false
  try {
    for (const { name, args, onCounts } of await readCalls())
      for (let isDone = false; !isDone; ) {
        const signal = AbortSignal.timeout(pieceTimeoutMs)
        const answer = await rpcWithRetries<PieceAnswer>(device, userId, name, args, { signal })
        onCounts?.(answer.counts)
        isDone = answer.done
        hasFinishedPiece = true
      }
    const lastOutcome = await change()
    if (isCanceled(lastOutcome)) return failedOutcome(tooLongMessage, hasFinishedPiece)
    const isUnanswered = lastOutcome.status === 'refused' && lastOutcome.code === null
    return isUnanswered ? failedOutcome(lastOutcome.message, hasFinishedPiece) : lastOutcome
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const { message, code, status, isTemporary } = error
    if (code && !isTemporary) return { status: 'refused', message, code }
    const reason = code === canceledCode ? tooLongMessage : message
    return failedOutcome(status === 0 ? noAnswerMessage : reason, hasFinishedPiece)
  } finally {
    endWork()
  }
}

function isCanceled(outcome: Outcome): boolean {
  return outcome.status === 'refused' && outcome.code === canceledCode
}

function failedOutcome(message: string, hasFinishedPiece: boolean): Outcome {
  const part = hasFinishedPiece ? `${message.replace(/\.$/, '')}. A part is done. Try again to continue.` : message
  return { status: 'refused', message: part, code: null }
}
