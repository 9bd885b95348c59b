import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Statement {
  text: string
  values: readonly string[]
}

/** A transaction for pgbench: the caller's context and one statement in one pipeline, prepared, as the server sends them. */
export interface PgbenchScript {
  context: Statement
  statement: Statement
}

export interface PgbenchOrder {
  /** libpq's connection string. */
  database: string
  connections: number
  /** Whole seconds. */
  seconds: number
}

/**
 * Writes the scripts to files. The returned function runs them and returns transactions per second. `scripts` has one list per connection, which
 * picks from it at random. If there are several lists, each connection is a separate pgbench process, because all connections of a process have
 * the same parameter values. That function rejects with the output of pgbench.
 */
export async function preparePgbench(
  scripts: readonly (readonly PgbenchScript[])[],
): Promise<(order: PgbenchOrder) => Promise<number>> {
  const folder = await mkdtemp(join(tmpdir(), 'banyan-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const argumentLists = await Promise.all(
    scripts.map(async (ownScripts, listIndex) => {
      const args: string[] = []
      for (const [index, script] of ownScripts.entries()) {
        const file = join(folder, `${listIndex}-${index}.sql`)
        const context = pgbenchStatement(script.context, `c${index}_`, args)
        const statement = pgbenchStatement(script.statement, `s${index}_`, args)
        await writeFile(file, `\\startpipeline\n${context};\n${statement};\n\\endpipeline\n`)
        args.push('-f', file)
      }
      return args
    }),
  )
  return async (order) => {
    if (argumentLists.length === 1) return run(order, order.connections, argumentLists[0] ?? [])
    const rates = Array.from({ length: order.connections }, (_, index) =>
      run(order, 1, argumentLists[index % argumentLists.length] ?? []),
    )
    return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0)
  }
}

/** Returns the statement on one line, with pgbench variables as placeholders. Adds their values to `args`. */
function pgbenchStatement({ text, values }: Statement, prefix: string, args: string[]): string {
  values.forEach((value, index) => args.push('-D', `${prefix}${index + 1}=${value}`))
  return text.replace(/\s+/g, ' ').replace(/\$(\d+)/g, `:${prefix}$1`)
}

function run(
  { database, seconds }: PgbenchOrder,
  connections: number,
  scriptArguments: readonly string[],
): Promise<number> {
  const threads = Math.min(2, connections)
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(connections),
    '-j',
    String(threads),
    '-T',
    String(seconds),
    ...scriptArguments,
  ]
  args.push('-d', database)
  return new Promise((resolve, reject) => {
    const child = spawn(process.env.PGBENCH ?? 'pgbench', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const addOutput = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', addOutput)
    child.stderr.on('data', addOutput)
    child.on('error', () => reject(new Error('pgbench is missing: apt-get install postgresql-contrib, or set PGBENCH')))
    child.on('close', (code) => {
      const rateMatch = /tps = ([\d.]+) \(without initial connection time\)/.exec(output)
      if (code === 0 && rateMatch && !/failed transactions: [1-9]/.test(output)) resolve(Number(rateMatch[1]))
      else reject(new Error(`pgbench ended with ${code}: ${output.slice(-2000)}`))
    })
  })
}
