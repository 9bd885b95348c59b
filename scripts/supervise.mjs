import { spawn } from 'node:child_process'
import { restartDelays } from './restart-delay.mjs'

/** Exit codes of src/server/main.ts: stopped in order, ended by a second signal, an operator must mend something. */
const exitCodeStopped = 0
const exitCodeInterrupted = 130
const exitCodeConfiguration = 1

/** Levels of the log at which a death is not reported. */
const silentLevels = ['silent', 'fatal']

/**
 * Runs the server as a process of its own, and starts it again whenever it dies. Signals are passed on; this process
 * ends with the server's exit code when the server has stopped, or cannot start for a reason that an operator must mend.
 * The server notices by the closed channel when this process dies, and stops in order.
 *
 * @param {string} entry Path of the built server.
 * @param {readonly string[]} args Its further arguments.
 */
export function supervise(entry, args) {
  const delayAfter = restartDelays()
  let served = false
  /** The signal that was passed on last. */
  let stopping = null
  let child = null

  function start() {
    const startedAt = performance.now()
    let isReady = false
    child = spawn(process.execPath, [entry, '--supervised', served ? 'again' : 'first', ...args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    })
    child.on('message', () => {
      isReady = true
      served = true
    })
    child.once('error', (error) => end(null, error.code))
    child.once('exit', end)

    function end(code, signal) {
      child = null
      // A server that has only just been spawned does not hear signals yet, and dies of them: it has stopped, too.
      if (stopping !== null && signal === stopping) process.exit(exitCodeStopped)
      if (
        stopping !== null ||
        code === exitCodeStopped ||
        code === exitCodeInterrupted ||
        code === exitCodeConfiguration
      )
        process.exit(code ?? 1)
      // An operator looks on: a first start that fails by itself is not tried again.
      if (!served && code !== null) process.exit(code)
      const delay = delayAfter({ lived: performance.now() - startedAt, wasReady: isReady })
      logDeath({ code, signal, delay })
      setTimeout(start, delay)
    }
  }

  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      stopping = signal
      if (child === null) process.exit(0)
      child.kill(signal)
    })
  }
  // A log that nobody reads any more must not end the supervisor.
  process.stdout.on('error', () => {})
  start()
}

/** One line a death, in the form of the server's own log. */
function logDeath({ code, signal, delay }) {
  if (silentLevels.includes(process.env.LOG_LEVEL)) return
  const line = { level: 50, time: new Date().toISOString(), code, signal, restartInMs: delay }
  process.stdout.write(`${JSON.stringify({ ...line, msg: 'the server died; starting it again' })}\n`)
}
