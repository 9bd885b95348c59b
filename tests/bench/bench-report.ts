import { readFileSync, writeFileSync } from 'node:fs'
import type { ServiceFigure } from './bench-service.ts'

/** One operation over a number of connections, compared with pgbench. Each figure is a median over the rounds. */
export interface ComparedFigure {
  name: string
  connections: number
  /** Accepted requests per second of the server. */
  ours: number
  /** Transactions per second of pgbench. */
  pgbench: number
  /** Median over the rounds of the server's rate divided by pgbench's. */
  ratio: number
  /** Share of refused requests (0 to 1). The server refuses some because one person may use only a part of its database connections. */
  refused: number
  /** Median and 99th percentile of the duration of a request (ms). */
  p50: number
  p99: number
}

export interface BenchReport {
  /** Describes the data and the machine. */
  heading: string
  compared: readonly ComparedFigure[]
  service: readonly ServiceFigure[]
  /** A start of the server: the time until it is ready, and the processor time of its process until then (ms). */
  start: { ms: number; processorMs: number }
  /** Memory of the server, idle and after the run (MB). */
  memory: { idle: number; after: number }
  plans: readonly { name: string; plan: string }[]
}

const reportFile = 'docs/performance.md'
const beginMarker = '<!-- npm run bench: begin -->'
const endMarker = '<!-- npm run bench: end -->'

/** Formats the report as Markdown. */
export function asMarkdown({ heading, compared, service, start, memory, plans }: BenchReport): string {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  const table = (headers: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
    [row(headers), row(headers.map(() => '---')), ...rows.map(row)].join('\n')
  const formatMs = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  const comparedRows = compared.map((figure) => [
    figure.name,
    figure.connections,
    figure.ours.toFixed(0),
    figure.pgbench.toFixed(0),
    figure.ratio.toFixed(2),
    formatMs(figure.p50),
    formatMs(figure.p99),
    percent(figure.refused),
  ])
  const serviceRows = service.map((figure) => [
    figure.name,
    figure.connections,
    figure.perSecond?.toFixed(0) ?? '',
    formatMs(figure.p50),
    formatMs(figure.p99),
  ])
  return [
    heading,
    table(['Operation', 'Connections', 'Server/s', 'pgbench/s', 'Ratio', 'p50 ms', 'p99 ms', 'Refused'], comparedRows),
    table(['Without a counterpart in pgbench', 'Connections', 'per second', 'p50 ms', 'p99 ms'], serviceRows),
    `The server was ready ${start.ms.toFixed(0)} ms after its start with these data. Its process, without PostgreSQL, used ${start.processorMs.toFixed(0)} ms of ` +
      `processor time on several threads. Memory of the process (PSS): ${memory.idle.toFixed(0)} MB idle, ${memory.after.toFixed(0)} MB after the run.`,
    'For each of the slowest operations, the plan of its slowest statement (at most 30 lines):',
    ...plans.map(({ name, plan }) => `**${name}**\n\n\`\`\`\n${plan}\n\`\`\``),
  ].join('\n\n')
}

/** Formats a share (0 to 1) as a percentage, rounded up. Returns '' for 0. */
export function percent(share: number): string {
  return share === 0 ? '' : `${Math.ceil(share * 100)} %`
}

/** Replaces the text between the markers in docs/performance.md. */
export function writeReport(markdown: string): void {
  const text = readFileSync(reportFile, 'utf8')
  const [beginAt, endAt] = [text.indexOf(beginMarker), text.indexOf(endMarker)]
  if (beginAt < 0 || endAt < beginAt) throw new Error(`${reportFile} has no lines '${beginMarker}' and '${endMarker}'.`)
  writeFileSync(reportFile, `${text.slice(0, beginAt + beginMarker.length)}\n${markdown}\n${text.slice(endAt)}`)
}
