import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** The server, brand and session of the writers. */
export interface WriterTarget {
  /** Returns the server's URL, which may change with each start. */
  url: () => string
  publishableKey: string
  accessToken: string
  brandId: string
}

/** Clients that add tasks with unique titles. Each repeats a write with the same key until the server acknowledges it. */
export interface Writers {
  /** Titles of acknowledged writes. */
  acknowledged: Set<string>
  /** Responses that neither acknowledge a write nor ask to send it again, as a 503 does. */
  unexpected: string[]
  /** Returns the time of the last acknowledgement (ms, as `performance.now()`). 0 before the first acknowledgement. */
  lastAcknowledgedAt(): number
  /** Stops after the running writes are acknowledged. */
  stop(): Promise<void>
}

const retryMs = 25
const responseTimeoutMs = 15_000

/** Starts writers. They write until they are stopped. */
export function startWriters(target: WriterTarget, count = 8): Writers {
  const acknowledged = new Set<string>()
  const unexpected: string[] = []
  const stopping = new AbortController()
  const titlePrefix = randomUUID().slice(0, 8)
  let lastAcknowledgedMs = 0

  async function write(writer: number): Promise<void> {
    for (let i = 0; !stopping.signal.aborted; i++) {
      const title = `${titlePrefix} writer ${writer} task ${i}`
      const key = randomUUID()
      while (!(await attempt(title, key))) await sleep(retryMs)
      acknowledged.add(title)
      lastAcknowledgedMs = performance.now()
    }
  }

  async function attempt(title: string, key: string): Promise<boolean> {
    try {
      const response = await fetch(`${target.url()}/rest/v1/tasks`, {
        method: 'POST',
        headers: {
          apikey: target.publishableKey,
          Authorization: `Bearer ${target.accessToken}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify({ brand_id: target.brandId, title }),
        signal: AbortSignal.timeout(responseTimeoutMs),
      })
      const text = await response.text()
      if (response.status === 201) return true
      if (response.status === 409 && text.includes('"PT409"')) return true
      if (response.status !== 503) unexpected.push(`${response.status} ${text.slice(0, 200)}`)
      return false
    } catch {
      // Without a response, the write may have been applied. It is repeated with the same key.
      return false
    }
  }

  const writing = Array.from({ length: count }, (_, writer) => write(writer))
  return {
    acknowledged,
    unexpected,
    lastAcknowledgedAt: () => lastAcknowledgedMs,
    async stop() {
      stopping.abort()
      await Promise.all(writing)
    },
  }
}

/** Returns the acknowledged titles that were not found (`lost`), and the titles that were found more than once (`doubled`). */
export function compareTitles(
  acknowledged: ReadonlySet<string>,
  found: readonly string[],
): { lost: string[]; doubled: string[] } {
  const seenTitles = new Set<string>()
  const doubled = found.filter((title) => seenTitles.size === seenTitles.add(title).size)
  return { lost: [...acknowledged].filter((title) => !seenTitles.has(title)), doubled }
}
