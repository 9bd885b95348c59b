import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** The server, brand and session of the writers. */
export interface WriterTarget {
  /** The server's address; it may change from start to start. */
  url: () => string
  publishableKey: string
  accessToken: string
  brandId: string
}

/** Clients that add tasks with unique titles. Each repeats a write with the same key until it is answered. */
export interface Writers {
  /** Titles whose write was acknowledged. */
  acknowledged: Set<string>
  /** Answers that are neither success nor 'try again'. */
  unexpected: string[]
  /** Milliseconds (performance.now) of the last acknowledgement. */
  lastAt(): number
  /** Stops once the running writes are acknowledged. */
  stop(): Promise<void>
}

const retryMs = 25
const answerTimeoutMs = 15_000

/** Starts them; they write until they are stopped. */
export function startWriters(target: WriterTarget, count = 8): Writers {
  const acknowledged = new Set<string>()
  const unexpected: string[] = []
  const over = new AbortController()
  const series = randomUUID().slice(0, 8)
  let last = 0

  async function write(writer: number): Promise<void> {
    for (let i = 0; !over.signal.aborted; i++) {
      const title = `${series} writer ${writer} task ${i}`
      const key = randomUUID()
      while (!(await attempt(title, key))) await sleep(retryMs)
      acknowledged.add(title)
      last = performance.now()
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
        signal: AbortSignal.timeout(answerTimeoutMs),
      })
      const text = await response.text()
      if (response.status === 201) return true
      if (response.status === 409 && text.includes('"PT409"')) return true
      if (response.status !== 503) unexpected.push(`${response.status} ${text.slice(0, 200)}`)
      return false
    } catch {
      // No answer: the write may have been applied. Repeat it with the same key.
      return false
    }
  }

  const running = Array.from({ length: count }, (_, writer) => write(writer))
  return {
    acknowledged,
    unexpected,
    lastAt: () => last,
    async stop() {
      over.abort()
      await Promise.all(running)
    },
  }
}

/** Compares the stored titles with the acknowledged ones. */
export function compareTitles(
  acknowledged: ReadonlySet<string>,
  found: readonly string[],
): { lost: string[]; doubled: string[] } {
  const seen = new Set<string>()
  const doubled = found.filter((title) => seen.size === seen.add(title).size)
  return { lost: [...acknowledged].filter((title) => !seen.has(title)), doubled }
}
