import { spawn } from 'node:child_process'
import { restartDelays } from './restart-delay.mjs'

/** Exit codes of src/server/main.ts: stopped normally, interrupted by a second signal, the operator must fix something. */
const exitCodeStopped = 0
const exitCodeInterrupted = 130
const exitCodeConfiguration = 1

/** Log levels at which a crash is not reported. */
const silentLevels = ['silent', 'fatal']

/**
 * Runs the server as a child process, restarts it after a crash, and forwards signals to it. If this process dies, the server notices the closed
 * channel and stops. In these cases the server is not restarted, and this process exits with the server's exit code:
 * - The server has stopped as requested.
 * - The first start has ended with an exit code. The operator then sees the error.
 * - The server cannot start for a reason that the operator must fix.
 *
 * @param {string} entry Path of the built server.
 * @param {readonly string[]} args More arguments for the server.
 */
export function supervise(entry, args) {
  const delayAfter = restartDelays()
  let hasServed = false
  /** The last forwarded signal. Null before the first one. */
  let stopSignal = null
  let child = null

  function start() {
    const startedAt = performance.now()
    let isReady = false
    child = spawn(process.execPath, [entry, '--supervised', hasServed ? 'again' : 'first', ...args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    child.on('message', () => {
      isReady = true
      hasServed = true
    })
    child.once('error', (error) => onEnd(null, error.code))
    child.once('exit', onEnd)

    function onEnd(code, signal) {
      child = null
      // A server that has just started has no signal handlers yet, so the forwarded signal kills it. That counts as stopped.
      if (stopSignal !== null && signal === stopSignal) process.exit(exitCodeStopped)
      if (
        stopSignal !== null ||
        code === exitCodeStopped ||
        code === exitCodeInterrupted ||
        code === exitCodeConfiguration
      )
        process.exit(code ?? 1)
      // A first start that ends with an exit code is not repeated, because the operator sees its error. After a kill by a signal there is no code.
      if (!hasServed && code !== null) process.exit(code)
      const delay = delayAfter({ lengthMs: performance.now() - startedAt, wasReady: isReady })
      logCrash({ code, signal, delay })
      setTimeout(start, delay)
    }
  }

  // Not SIGHUP: a listener would end a server that was started with nohup when the terminal is closed.
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      stopSignal = signal
      if (child === null) process.exit(0)
      child.kill(signal)
    })
  }
  // A failed write to a closed stdout must not end the supervisor.
  process.stdout.on('error', () => {})
  start()
}

/** Writes a log line about a crash, in the format of the server's log. */
function logCrash({ code, signal, delay }) {
  if (silentLevels.includes(process.env.LOG_LEVEL)) return
  const line = { level: 50, time: new Date().toISOString(), code, signal, restartInMs: delay }
  process.stdout.write(`${JSON.stringify({ ...line, msg: 'the server crashed; it is restarted' })}\n`)
}
