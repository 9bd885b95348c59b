import type { Logger } from 'pino'
import { type Keys, readNewKeys } from './keys.ts'

/** Interval at which a running server checks for rotated keys. */
const checkIntervalMs = 2000

export interface KeyWatch {
  /** Checks now, at most once per second: another process may have signed a token with a newer key. Never throws. */
  check: () => Promise<void>
  stop: () => void
}

/**
 * Keeps `keys` equal to the file in `dataDir`. If the file cannot be read, the current keys stay and the reason is
 * logged once.
 */
export function watchKeys(dataDir: string, keys: Keys, log: Logger): KeyWatch {
  let [running, checkedAt] = [Promise.resolve(), 0]
  let reported = ''

  async function read(): Promise<void> {
    try {
      const found = await readNewKeys(dataDir, keys)
      reported = ''
      if (found === null) return
      Object.assign(keys, found)
      log.info({ kid: keys.kid, taken: found.publicJwks.length }, 'the signing keys have changed')
    } catch (error) {
      const reason = (error as Error).message
      if (reason === reported) return
      reported = reason
      log.error({ reason }, 'the keys cannot be read: those at hand stay')
    }
  }

  const check = () => {
    if (Date.now() - checkedAt < 1000) return running
    checkedAt = Date.now()
    running = read()
    return running
  }

  const timer = setInterval(() => void check(), checkIntervalMs)
  timer.unref()
  return { check, stop: () => clearInterval(timer) }
}
