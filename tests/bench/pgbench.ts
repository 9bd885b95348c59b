import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Statement {
  text: string
  values: readonly string[]
}

/** A transaction for pgbench: the caller's context and one statement in one pipeline, prepared, like the server's. */
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
 * Writes the scripts once; the returned function runs them and returns transactions per second. `scripts` has a list for each connection, which
 * picks from it at random; every value is a parameter. If the lists differ, each connection is a separate pgbench process, because values
 * belong to a process. Rejects with the output of pgbench.
 */
export async function preparePgbench(
  scripts: readonly (readonly PgbenchScript[])[],
): Promise<(order: PgbenchOrder) => Promise<number>> {
  const folder = await mkdtemp(join(tmpdir(), 'banyan-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const clients = await Promise.all(
    scripts.map(async (own, client) => {
      const args: string[] = []
      for (const [place, script] of own.entries()) {
        const file = join(folder, `${client}-${place}.sql`)
        const context = spell(script.context, `c${place}_`, args)
        const statement = spell(script.statement, `s${place}_`, args)
        await writeFile(file, `\\startpipeline\n${context};\n${statement};\n\\endpipeline\n`)
        args.push('-f', file)
      }
      return args
    }),
  )
  return async (order) => {
    if (clients.length === 1) return run(order, order.connections, clients[0] ?? [])
    const rates = Array.from({ length: order.connections }, (_, place) =>
      run(order, 1, clients[place % clients.length] ?? []),
    )
    return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0)
  }
}

/** The statement on one line, with pgbench variables as placeholders; their values are added to `args`. */
function spell({ text, values }: Statement, prefix: string, args: string[]): string {
  values.forEach((value, place) => args.push('-D', `${prefix}${place + 1}=${value}`))
  return text.replace(/\s+/g, ' ').replace(/\$(\d+)/g, `:${prefix}$1`)
}

function run({ database, seconds }: PgbenchOrder, connections: number, own: readonly string[]): Promise<number> {
  const threads = Math.min(2, connections)
  const args = ['-n', '-M', 'prepared', '-c', String(connections), '-j', String(threads), '-T', String(seconds), ...own]
  args.push('-d', database)
  return new Promise((resolve, reject) => {
    const child = spawn(process.env.PGBENCH ?? 'pgbench', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', () => reject(new Error('pgbench is missing: apt-get install postgresql-contrib, or set PGBENCH')))
    child.on('close', (code) => {
      const found = /tps = ([\d.]+) \(without initial connection time\)/.exec(output)
      if (code === 0 && found && !/failed transactions: [1-9]/.test(output)) resolve(Number(found[1]))
      else reject(new Error(`pgbench ended with ${code}: ${output.slice(-2000)}`))
    })
  })
}
