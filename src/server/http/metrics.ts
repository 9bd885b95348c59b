import type { Registry } from 'prom-client'
import type { Handler } from './exchange.ts'

/** A metric that is read at each scrape: one number, or one number for each value of a label. */
export interface Gauge {
  /** The name of the metric, in the form that Prometheus recommends: `banyan_`, what is measured, its unit. */
  name: string
  help: string
  /** The name of the label. Its values are the keys of the result of `read`. */
  label?: string
  read: () => number | Record<string, number>
}

export interface Metrics {
  /**
   * Counts a request after its response was handed to the connection. `milliseconds` leaves out the time in which the client
   * reads the response, so that clients with slow networks do not make the server seem slow.
   */
  countRequest(path: string, status: number, milliseconds: number): void
  add: (gauge: Gauge) => void
  /** Returns all metrics in Prometheus' text format 0.0.4. */
  text(): Promise<string>
}

/**
 * Upper bounds of the histogram of durations (seconds): from a time that nobody notices to the time after which a person
 * gives up.
 */
const bucketsSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/**
 * Collects metrics of this process: requests by protocol and status, their durations, memory, CPU and event loop.
 * Importing prom-client takes about 10 ms: call this function while the start waits for something else.
 */
export async function createMetrics(): Promise<Metrics> {
  const { collectDefaultMetrics, Gauge: PromGauge, Histogram, Registry } = await import('prom-client')
  const registry: Registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'banyan_http_request_duration_seconds',
    help: 'Time from the headers of a request until its response is handed to the connection, without the time in which the client reads it.',
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

/** Creates the handler of `/metrics`. */
export function createMetricsHandler(metrics: Metrics): Handler {
  return async () => ({
    status: 200,
    headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
    body: await metrics.text(),
  })
}

/**
 * Returns the protocol to which a path belongs; `files` stands for all paths except those of REST and auth. The path itself is
 * no label: clients choose it, and each value would be a new time series.
 */
function protocolOf(path: string): string {
  if (path.startsWith('/rest/v1/')) return 'rest'
  return path.startsWith('/auth/v1/') ? 'auth' : 'files'
}
