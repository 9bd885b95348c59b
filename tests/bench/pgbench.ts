import { spawn } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A transaction for pgbench: the caller's context and one statement in one pipeline, prepared, as our server sends it. */
export interface PgbenchScript {
  context: { text: string; values: readonly string[] }
  statement: { text: string; values: readonly string[] }
}

export interface PgbenchOrder {
  /** libpq's connection string. */
  database: string
  scripts: readonly PgbenchScript[]
  connections: number
  seconds: number
}

/** Writes the scripts once; the answer runs them and gives transactions a second. Rejects with what pgbench printed. */
export async function preparePgbench(
  scripts: readonly PgbenchScript[],
): Promise<(order: Omit<PgbenchOrder, 'scripts'>) => Promise<number>> {
  const folder = await mkdtemp(join(tmpdir(), 'banyan-bench-'))
  // What all scripts have in common becomes parameters, as in our server; what differs (the row's id) stands in the text.
  const variables = new Map<string, string>()
  const files = await Promise.all(
    scripts.map(async (script, place) => {
      const file = join(folder, `${place}.sql`)
      const spell = (part: PgbenchScript['context'], prefix: string) => {
        const first = scripts[0]?.[prefix === 'c' ? 'context' : 'statement'].values ?? []
        return part.text.replace(/\$(\d+)/g, (_found, number: string) => {
          const value = part.values[Number(number) - 1] ?? ''
          const isShared = scripts.every(
            (other) =>
              other[prefix === 'c' ? 'context' : 'statement'].values[Number(number) - 1] === first[Number(number) - 1],
          )
          if (!isShared) return `'${value.replaceAll("'", "''")}'`
          variables.set(`${prefix}${number}`, value)
          return `:${prefix}${number}`
        })
      }
      // pgbench reads a line as a statement up to its semicolon, and `::` as no variable.
      const text = `\\startpipeline\n${oneLine(spell(script.context, 'c'))};\n${oneLine(spell(script.statement, 's'))};\n\\endpipeline\n`
      await writeFile(file, text)
      return file
    }),
  )
  return (order) => run(order, files, variables)
}

function oneLine(sql: string): string {
  return sql.replace(/\s+/g, ' ')
}

function run(
  { database, connections, seconds }: Omit<PgbenchOrder, 'scripts'>,
  files: readonly string[],
  variables: ReadonlyMap<string, string>,
): Promise<number> {
  const args = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(connections),
    '-j',
    connections > 1 ? '2' : '1',
    '-T',
    String(seconds),
  ]
  for (const file of files) args.push('-f', file)
  for (const [name, value] of variables) args.push('-D', `${name}=${value}`)
  args.push('-d', database)
  return new Promise((resolve, reject) => {
    const child = spawn(process.env.PGBENCH ?? 'pgbench', args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    child.on('error', () => reject(new Error('pgbench is missing: apt-get install postgresql-client, or set PGBENCH')))
    child.on('close', (code) => {
      const found = /tps = ([\d.]+) \(without initial connection time\)/.exec(output)
      if (code === 0 && found && !/failed: [1-9]/.test(output)) resolve(Number(found[1]))
      else reject(new Error(`pgbench ended with ${code}: ${output.slice(-2000)}`))
    })
  })
}
