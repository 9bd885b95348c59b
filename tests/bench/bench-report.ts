import { readFileSync, writeFileSync } from 'node:fs'
import type { ServiceFigure } from './bench-service.ts'

/** One operation over a number of connections, compared with pgbench. */
export interface ComparedFigure {
  name: string
  connections: number
  /** Accepted requests per second of the server. */
  ours: number
  /** Transactions per second of pgbench. */
  pgbench: number
  /** Median over the rounds of the server's rate divided by pgbench's. */
  ratio: number
  /** Share of refused requests: one person may use only a part of the connections. */
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
  start: { ms: number; processorMs: number }
  /** Memory of the server, idle and after the run (MB). */
  memory: { idle: number; after: number }
  plans: readonly { name: string; plan: string }[]
}

const file = 'docs/performance.md'
const begin = '<!-- npm run bench: begin -->'
const end = '<!-- npm run bench: end -->'

/** Formats the report as Markdown. */
export function asMarkdown({ heading, compared, service, start, memory, plans }: BenchReport): string {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  const table = (heads: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
    [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')
  const rounded = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  const ours = compared.map((one) => [
    one.name,
    one.connections,
    one.ours.toFixed(0),
    one.pgbench.toFixed(0),
    one.ratio.toFixed(2),
    rounded(one.p50),
    rounded(one.p99),
    percent(one.refused),
  ])
  const others = service.map((one) => [
    one.name,
    one.connections,
    one.perSecond?.toFixed(0) ?? '',
    rounded(one.p50),
    rounded(one.p99),
  ])
  return [
    heading,
    table(['Operation', 'Connections', 'Server/s', 'pgbench/s', 'Ratio', 'p50 ms', 'p99 ms', 'Refused'], ours),
    table(['Without a counterpart in pgbench', 'Connections', 'per second', 'p50 ms', 'p99 ms'], others),
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
  const text = readFileSync(file, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${file} has no lines '${begin}' and '${end}'.`)
  writeFileSync(file, `${text.slice(0, from + begin.length)}\n${markdown}\n${text.slice(to)}`)
}
