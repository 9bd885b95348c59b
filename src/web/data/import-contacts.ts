import { type Device } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { serverPause } from '#web/data/server/network.ts'
import { newId } from '#web/lib/new-id.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'
import { sessionState } from '#web/data/session/session.ts'

/** A row of the file. `row` is its line number for the report. */
export interface ImportRow {
  row: number
  email: string
  first_name: string | null
  last_name: string | null
  company: string | null
}

export interface RowOutcome {
  row: number
  status: 'created' | 'updated' | 'unchanged' | 'error'
  id: string | null
  reason: string | null
}

export interface ContactImport {
  /** Rows of one call: at most this many. */
  chunkSize: number
  /** Hands a chunk over; resolves when there is room for the next one (one on the way, one waiting): back-pressure for the parser. */
  push(rows: readonly ImportRow[]): Promise<void>
  /** Resolves when every chunk has its outcomes and the new rows are on their way to this device. Rejects with the server's message. */
  finish(): Promise<void>
}

/** No answer came (`silent`), or one that asks to come later (`busy`). */
export type Waiting = 'silent' | 'busy'

export interface ContactImportOptions {
  signal: AbortSignal
  onOutcomes: (outcomes: readonly RowOutcome[]) => void
  /** Why a chunk is to be sent again; null: it was answered. */
  onWaiting?: (waiting: Waiting | null) => void
}

const chunkSize = 500
const heldAtMost = 2
const retryAfter = [500, 1000, 2000, 4000, 8000]

/**
 * Starts an import into the active brand (online only). A chunk without an answer is sent again (idempotent by e-mail); `signal` stops it
 * between chunks: those on the way are waited for, so that the report is true, and what was sent stays. `onOutcomes` gets each chunk's
 * outcomes, in the order of the chunks.
 */
export function startContactImport(
  device: Device,
  { signal, onOutcomes, onWaiting }: ContactImportOptions,
): ContactImport {
  const { brandId } = activeBrandState(device).get()
  const { session } = sessionState(device).get()
  const importId = newId()
  let held: Promise<void>[] = []
  // One chunk after the other: of rows with one e-mail, or one company in two spellings, the order of the file decides.
  let latest: Promise<void> = Promise.resolve()
  let failure: unknown = null

  async function send(rows: readonly ImportRow[]): Promise<RowOutcome[]> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const args = { p_brand_id: brandId, p_import_id: importId, p_rows: rows }
        const outcomes = await rpc<RowOutcome[]>(device, session?.userId ?? '', 'import_contacts', args)
        if (attempt > 0) onWaiting?.(null)
        return outcomes
      } catch (error) {
        if (!(error instanceof RpcError) || !error.isPassing) throw error
        onWaiting?.(error.status === 0 ? 'silent' : 'busy')
        const wait = retryAfter[Math.min(attempt, retryAfter.length - 1)] ?? 8000
        await pause(device, Math.max(wait, serverPause(device)), signal)
        if (signal.aborted) throw error
      }
    }
  }

  return {
    chunkSize,
    async push(rows) {
      if (failure) throw failure
      if (signal.aborted || rows.length === 0) return
      latest = latest.then(async () => {
        if (failure || signal.aborted) return
        try {
          onOutcomes(await send(rows))
        } catch (error) {
          failure = error
        }
      })
      const flight: Promise<void> = latest.finally(() => {
        held = held.filter((other) => other !== flight)
      })
      held.push(flight)
      if (held.length >= heldAtMost) await Promise.race(held)
    },
    async finish() {
      await latest
      void requestPull(device)
      if (failure) throw failure
    },
  }
}

function pause(device: Device, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = device.clock.setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      device.clock.clearTimeout(timer)
      resolve()
    })
  })
}
