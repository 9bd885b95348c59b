import { write, writeSync } from 'node:fs'

/**
 * A batch of log lines is written at once when it has at least this size (characters; for ASCII text, this is the number of
 * bytes). A smaller batch is written within `flushDelayMs`.
 */
const batchBytes = 4096
const flushDelayMs = 500
/**
 * Further lines are dropped while this many bytes (counted like `batchBytes`) wait to be written: the reader of the log has then
 * stopped reading.
 */
const maxHeldBytes = 1024 * 1024
/** When the process ends, it waits at most this long for a slow reader of the log (ms). */
const lastWriteTimeoutMs = 1000
const retryMs = 20

/**
 * The destination of the log. It never throws and uses limited memory, whatever happens to the file, pipe or terminal.
 * `write` never blocks.
 */
export interface LogOutput {
  write: (line: string) => void
  /** Writes the buffered lines before it returns. Gives up at an error, or after about a second. Call it when the process ends. */
  flushSync: () => void
}

interface Batch {
  /** The bytes of the batch that are not written yet. */
  rest: Buffer
  /**
   * Number of lines that are lost if this batch cannot be written. It includes the lines that were lost before, because only
   * this batch reports them.
   */
  lines: number
}

/**
 * Writes lines to an open file in batches, asynchronously. Lines that cannot be written (a full disk, a closed
 * terminal) are dropped. The next batch begins with a line that reports how many lines were dropped.
 */
export function openLogOutput(fd: number): LogOutput {
  let heldText = ''
  let heldLines = 0
  let lostLines = 0
  /** The time at which the running write began (`performance.now()` ms). Null while no write is running. */
  let writingSince: number | null = null

  function takeBatch(): Batch {
    const lossReport =
      lostLines === 0
        ? ''
        : `${JSON.stringify({ level: 40, time: new Date().toISOString(), lost: lostLines, msg: lostLinesMessage })}\n`
    const batch = { rest: Buffer.from(lossReport + heldText), lines: heldLines + lostLines }
    heldText = ''
    heldLines = 0
    lostLines = 0
    return batch
  }

  function send(): void {
    if (writingSince === null && heldText !== '') sendRest(takeBatch())
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
      if (error) lostLines += batch.lines
      else if (heldText.length >= batchBytes) send()
    })
  }

  function flushSync(): void {
    // Another thread of Node writes the current batch. If that write waits because nobody reads the log, a write from this
    // thread would wait too.
    if (writingSince !== null && performance.now() - writingSince > lastWriteTimeoutMs) return
    const deadline = performance.now() + lastWriteTimeoutMs
    let { rest } = takeBatch()
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(fd, rest))
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs)
      }
    }
  }

  setInterval(send, flushDelayMs).unref()
  return {
    write(line) {
      if (heldText.length + line.length > maxHeldBytes) {
        lostLines++
        return
      }
      heldText += line
      heldLines++
      if (heldText.length >= batchBytes) send()
    },
    flushSync,
  }
}

const lostLinesMessage = 'lines of the log could not be written'

/** Whether a write failed because the buffer of the pipe or terminal is full at the moment. */
function isBusy(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EAGAIN' || code === 'EBUSY' || code === 'EINTR'
}
