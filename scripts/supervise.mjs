import { spawn } from 'node:child_process'
import { restartDelays } from './restart-delay.mjs'

/** Exit codes of src/server/main.ts: stopped normally, ended by a second signal, an operator must fix something. */
const exitCodeStopped = 0
const exitCodeInterrupted = 130
const exitCodeConfiguration = 1

/** Log levels at which a crash is not reported. */
const silentLevels = ['silent', 'fatal']

/**
 * Runs the server as a child process and restarts it when it crashes. Signals are forwarded. This process ends with the
 * server's exit code when the server has stopped, or cannot start for a reason that an operator must fix. The server
 * notices the closed channel when this process dies, and stops.
 *
 * @param {string} entry Path of the built server.
 * @param {readonly string[]} args Its further arguments.
 */
export function supervise(entry, args) {
  const delayAfter = restartDelays()
  let served = false
  /** The last forwarded signal. */
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
      // A newly spawned server has no signal handlers yet and dies of a signal: that counts as stopped.
      if (stopping !== null && signal === stopping) process.exit(exitCodeStopped)
      if (
        stopping !== null ||
        code === exitCodeStopped ||
        code === exitCodeInterrupted ||
        code === exitCodeConfiguration
      )
        process.exit(code ?? 1)
      // An operator is watching: a failed first start is not repeated.
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
  // A closed log must not end the supervisor.
  process.stdout.on('error', () => {})
  start()
}

/** One log line per crash, in the format of the server's log. */
function logDeath({ code, signal, delay }) {
  if (silentLevels.includes(process.env.LOG_LEVEL)) return
  const line = { level: 50, time: new Date().toISOString(), code, signal, restartInMs: delay }
  process.stdout.write(`${JSON.stringify({ ...line, msg: 'the server died; starting it again' })}\n`)
}
