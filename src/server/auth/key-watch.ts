import type { Logger } from 'pino'
import { type Keys, readNewKeys } from './keys.ts'

/** How often a running server looks whether its keys were rotated. Milliseconds. */
const checkIntervalMs = 2000

export interface KeyWatch {
  /** Looks now, at most once a second: a token may be signed by a key that another process has seen first. Never throws. */
  look: () => Promise<void>
  stop: () => void
}

/** Keeps `keys` as the file in `dataDir` has them. Where it cannot be read, the keys at hand stay, and the log says once why. */
export function watchKeys(dataDir: string, keys: Keys, log: Logger): KeyWatch {
  let [looking, lookedAt] = [Promise.resolve(), 0]
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

  const look = () => {
    if (Date.now() - lookedAt < 1000) return looking
    lookedAt = Date.now()
    looking = read()
    return looking
  }

  const timer = setInterval(() => void look(), checkIntervalMs)
  timer.unref()
  return { look, stop: () => clearInterval(timer) }
}
