import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { projectRoot } from '#server/db/project-root.ts'
import { readConfig } from './config.ts'
import { createLog } from './log.ts'
import { describeStartFailure } from './start-failure.ts'
import { type RunningServer, startServer } from './start-server.ts'

/**
 * Signals within this time after the first one belong to the same key press (ms): on Ctrl-C, the process gets one signal from
 * the terminal and another one from npm.
 */
const sameKeyPressMs = 1000

/**
 * The process ends at the latest this long after the first signal (ms), even if a query still waits for a lock. Container
 * runtimes kill a process after ten seconds; two seconds are left for a busy machine.
 */
const stopTimeoutMs = 8000

/** The exit code after an unhandled error. The exit codes of a failed start are in `start-failure.ts`. */
const exitCodeCrashed = 70

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { 'web-root': { type: 'string' }, supervised: { type: 'string' } } })
  const config = readConfig(process.env)
  const { log, flush } = createLog(config.logLevel)
  const webRoot = resolve(values['web-root'] ?? join(projectRoot(), 'dist/web'))

  process.on('exit', flush)
  // A failed write to a closed terminal or pipe must not end the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected error: the server stops. Please report this line')
    process.exit(exitCodeCrashed)
  })

  const starting = startServer({ config, webRoot, log })
  stopOnSignal(starting, values.supervised !== undefined)
  const { url } = await starting
  if (values.supervised === 'again') log.info({ url }, 'the server runs again')
  else process.stdout.write(`Banyan CRM is ready at ${url}\n`)
  if (values.supervised !== undefined) process.send?.('ready', undefined, undefined, () => {})
}

/**
 * Stops the server on SIGTERM or SIGINT. The first signal lets requests finish and closes the database, also during the
 * start. A further signal more than `sameKeyPressMs` later ends the process at once. With `isSupervised`, the supervisor
 * (`scripts/supervise.mjs`) is the parent process, and its end counts as a signal: otherwise the server would keep running, and
 * nothing would stop or restart it.
 */
function stopOnSignal(starting: Promise<RunningServer>, isSupervised: boolean): void {
  let firstSignalAt = 0
  const onSignal = () => {
    if (firstSignalAt !== 0 && Date.now() - firstSignalAt > sameKeyPressMs) process.exit(130)
    if (firstSignalAt !== 0) return
    firstSignalAt = Date.now()
    setTimeout(() => process.exit(0), stopTimeoutMs).unref()
    starting
      .then((server) => server.stop())
      .then(() => process.exit(0))
      .catch((error: unknown) => fail(error))
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, onSignal)
  if (!isSupervised) return
  if (process.connected) process.once('disconnect', onSignal)
  else onSignal()
}

/**
 * Prints the reason in one line, and what to do if the cause is known. Then ends the process. No stack trace is printed,
 * because the cause is usually one that an operator can remove.
 */
function fail(error: unknown): never {
  const { sentence, exitCode } = describeStartFailure(error)
  process.stderr.write(`Banyan CRM cannot start: ${sentence}\n`)
  process.exit(exitCode)
}

main().catch(fail)
