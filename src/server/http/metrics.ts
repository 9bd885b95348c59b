import type { Registry } from 'prom-client'
import type { Handler } from './exchange.ts'

/** A figure that is read when somebody asks: one number, or a number for each value of a label. */
export interface Gauge {
  /** In Prometheus' words: `banyan_`, what is measured, its unit. */
  name: string
  help: string
  /** The label of `read`'s keys. */
  label?: string
  read: () => number | Record<string, number>
}

export interface Metrics {
  /** Counts a request that was answered. */
  countRequest(path: string, status: number, milliseconds: number): void
  add: (gauge: Gauge) => void
  /** Everything in Prometheus' text format 0.0.4. */
  text(): Promise<string>
}

/** Seconds. From what a page does not feel to what a person gives up on. */
const bucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * What an operator measures of this process: requests by protocol and status, how long they took, and the process itself (memory,
 * processor, event loop). The library takes some ten milliseconds to load: call it while something else is waited for.
 */
export async function createMetrics(): Promise<Metrics> {
  const { collectDefaultMetrics, Gauge: PromGauge, Histogram, Registry } = await import('prom-client')
  const registry: Registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'banyan_http_request_duration_seconds',
    help: 'Time from a request to the last byte of its answer.',
    labelNames: ['protocol', 'status'] as const,
    buckets: bucketsSeconds,
    registers: [registry],
  })

  return {
    countRequest(path, status, milliseconds) {
      requests.observe({ protocol: protocolOf(path), status: `${Math.floor(status / 100)}xx` }, milliseconds / 1000)
    },
    add({ name, help, label, read }) {
      // `collect` is called at each scrape.
      const gauge = new PromGauge({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers: [registry],
        collect() {
          const value = read()
          if (typeof value === 'number') gauge.set(value)
          else for (const [key, number] of Object.entries(value)) gauge.set({ [label as string]: key }, number)
        },
      })
    },
    text: () => registry.metrics(),
  }
}

/** `/metrics`. */
export function respondMetrics(metrics: Metrics): Handler {
  return async () => ({
    status: 200,
    headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
    body: await metrics.text(),
  })
}

/** Never the path itself: callers choose it, and each value would be a series of its own. */
function protocolOf(path: string): string {
  if (path.startsWith('/rest/v1/')) return 'rest'
  return path.startsWith('/auth/v1/') ? 'auth' : 'files'
}
