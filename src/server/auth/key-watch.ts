import type { Logger } from 'pino'
import { type Keys, readNewKeys } from './keys.ts'

/** Interval at which a running server checks for rotated keys (ms). */
const checkIntervalMs = 2000

export interface KeyWatch {
  /**
   * Reads the key file now, unless it was read within the last second. Call it when a token names an unknown key:
   * another process may have changed the keys. Never rejects.
   */
  check: () => Promise<void>
  stop: () => void
}

/**
 * Updates the signing keys in `keys` whenever the keys in the key file of `dataDir` change. If the file cannot be read, `keys`
 * stay as they are, and the reason is logged once.
 */
export function watchKeys(dataDir: string, keys: Keys, log: Logger): KeyWatch {
  let [lastRead, checkedAt] = [Promise.resolve(), 0]
  let reportedReason = ''

  async function read(): Promise<void> {
    try {
      const newKeys = await readNewKeys(dataDir, keys)
      reportedReason = ''
      if (newKeys === null) return
      Object.assign(keys, newKeys)
      log.info({ kid: keys.kid, accepted: newKeys.publicJwks.length }, 'the signing keys have changed')
    } catch (error) {
      const reason = (error as Error).message
      if (reason === reportedReason) return
      reportedReason = reason
      log.error({ reason }, 'the key file cannot be read: the server continues with its current keys')
    }
  }

  const check = () => {
    if (Date.now() - checkedAt < 1000) return lastRead
    checkedAt = Date.now()
    lastRead = read()
    return lastRead
  }

  const timer = setInterval(() => void check(), checkIntervalMs)
  timer.unref()
  return { check, stop: () => clearInterval(timer) }
}
