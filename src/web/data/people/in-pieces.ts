import type { Device } from '#web/data/browser/device.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { fieldOf } from '#web/lib/read-unknown.ts'

/** SQLSTATE query_canceled: the statement took longer than the server allows. */
const canceledCode = '57014'

/** An RPC that does a part of the work of a change per call, and answers `done` and perhaps `counts`. */
interface PieceCall {
  name: 'clear_brand' | 'release_records'
  args: Readonly<Record<string, unknown>>
  /** Gets the `counts` of each call. */
  onCounts?: (counts: unknown) => void
}

/**
 * Sends a change that may write more records than one request can. If the server cancels it because it takes too long, calls `piece` until the
 * work is done, and sends the change again. Stops at the first refusal: the finished pieces stay, and the person can try again.
 */
export async function inPieces(
  device: Device,
  change: () => Promise<Outcome>,
  { name, args, onCounts }: PieceCall,
): Promise<Outcome> {
  const outcome = await change()
  if (outcome.status !== 'refused' || outcome.code !== canceledCode) return outcome
  for (;;) {
    let answer: unknown = null
    const pieceOutcome = await changeOnline(
      device,
      '',
      (server) => server.rpc(name, args),
      'call',
      (data) => {
        answer = data
      },
    )
    if (pieceOutcome.status !== 'saved') return pieceOutcome
    onCounts?.(fieldOf(answer, 'counts'))
    if (fieldOf(answer, 'done') !== false) return change()
  }
}
