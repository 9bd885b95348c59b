import { write, writeSync } from 'node:fs'

/** So much text is written at once, and no later than so long after its first line. Characters, milliseconds. */
const batchBytes = 4096
const flushDelayMs = 500
/** Beyond it lines are left out: whoever reads the log has stopped reading. Characters. */
const maxHeldBytes = 1024 * 1024
/** How long the end of the process waits for a reader who is slow. Milliseconds. */
const lastWriteTimeoutMs = 1000
const retryMs = 20

/** Where the log goes. It never throws, never waits and never fills the memory, whatever becomes of the file, pipe or terminal. */
export interface LogOutput {
  write: (line: string) => void
  /** Writes what is held, before it returns: for the moment before the process ends. */
  flushSync: () => void
}

interface Batch {
  /** What is not written yet. */
  rest: Buffer
  /** Lines that are lost where it cannot be written, those that its first line tells of among them. */
  lines: number
}

/**
 * Writes lines to an open file in batches, beside the work of the server. Lines that cannot be written (a full disk, a terminal
 * that is gone) are left out, and the next ones are tried again; a line says then how many were left out.
 */
export function openLogOutput(fd: number): LogOutput {
  let held = ''
  let heldLines = 0
  let lost = 0
  /** When the last part of the batch on its way was given to the system; null: none is. */
  let writingSince: number | null = null

  function take(): Batch {
    const note =
      lost === 0
        ? ''
        : `${JSON.stringify({ level: 40, time: new Date().toISOString(), lost, msg: lostLinesMessage })}\n`
    const batch = { rest: Buffer.from(note + held), lines: heldLines + lost }
    held = ''
    heldLines = 0
    lost = 0
    return batch
  }

  function send(): void {
    if (writingSince === null && held !== '') sendRest(take())
  }

  function sendRest(batch: Batch): void {
    writingSince = performance.now()
    write(fd, batch.rest, (error, written) => {
      if (error && isBusy(error)) {
        setTimeout(() => sendRest(batch), retryMs).unref()
        return
      }
      batch.rest = batch.rest.subarray(written)
      if (!error && batch.rest.length > 0) {
        sendRest(batch)
        return
      }
      writingSince = null
      if (error) lost += batch.lines
      else if (held.length >= batchBytes) send()
    })
  }

  function flushSync(): void {
    // A batch on its way is written by another thread. Where that one waits for a reader, this one would wait, too.
    if (writingSince !== null && performance.now() - writingSince > lastWriteTimeoutMs) return
    const until = performance.now() + lastWriteTimeoutMs
    let { rest } = take()
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(fd, rest))
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
      }
    }
  }

  setInterval(send, flushDelayMs).unref()
  return {
    write(line) {
      if (held.length + line.length > maxHeldBytes) {
        lost++
        return
      }
      held += line
      heldLines++
      if (held.length >= batchBytes) send()
    },
    flushSync,
  }
}

const lostLinesMessage = 'lines of the log could not be written'

/** A pipe or terminal that is full for now. */
function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EAGAIN' || code === 'EBUSY' || code === 'EINTR'
}
