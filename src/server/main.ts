import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { projectRoot } from '#server/db/project-root.ts'
import { ConfigError, readConfig } from './config.ts'
import { createLog } from './log.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** npm passes Ctrl-C on to a process that has heard it already: one key press, two signals. Milliseconds. */
const SAME_KEY_PRESS = 1000

/** Whatever still holds on then (a query that waits for somebody's lock) is left to the database. Milliseconds. */
const STOP_AT_MOST = 9000

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { 'web-root': { type: 'string' } } })
  const config = readConfig(process.env)
  const { log, flush } = createLog(config.logLevel)
  const webRoot = resolve(values['web-root'] ?? join(projectRoot(), 'dist/web'))

  process.on('exit', flush)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the server stops: a fault that nothing handled')
    process.exit(1)
  })

  const starting = startServer({ config, webRoot, log })
  stopOnSignal(starting)
  const { url } = await starting
  process.stdout.write(`Banyan CRM is ready at ${url}\n`)
}

/** The first signal lets requests finish and closes the database, also while it still starts; a second one ends it all. */
function stopOnSignal(starting: Promise<RunningServer>): void {
  let first = 0
  const onSignal = () => {
    if (first !== 0 && Date.now() - first > SAME_KEY_PRESS) process.exit(130)
    if (first !== 0) return
    first = Date.now()
    setTimeout(() => process.exit(0), STOP_AT_MOST).unref()
    starting
      .then((server) => server.stop())
      .then(() => process.exit(0))
      .catch((error: unknown) => fail(error))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

/** One line that says what to do, and no stack trace: these are things that an operator can mend. */
function fail(error: unknown): never {
  process.stderr.write(`Banyan CRM cannot start: ${sentenceOf(error)}\n`)
  process.exit(1)
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `port ${port} is in use. Stop the program that uses it, or set PORT to another one.`
  if (code === 'EACCES' && port !== undefined)
    return `port ${port} may not be used by this user. Set PORT to another one.`
  if (code === 'EADDRNOTAVAIL') return 'HOST is not an address of this machine.'
  return error instanceof ConfigError ? `${error.message}.` : error.message
}

main().catch(fail)
