import type { Logger } from 'pino'
import type { HttpRequest } from './exchange.ts'

/**
 * Creates the function that writes one log line per request: id, method, path, status, milliseconds. Query, body and IP
 * address are not logged, because they contain personal data. A secret path is not logged either. Levels: error for
 * server errors, warn for 503 (debug if the path is `/readyz`), info for the API, debug for files and health checks (these
 * repeat often).
 */
export function createRequestLog(log: Logger): (request: HttpRequest, status: number, ms: number) => void {
  const writesInfo = log.isLevelEnabled('info')
  const writesDebug = log.isLevelEnabled('debug')
  return ({ id, method, path }, status, ms) => {
    const line = {
      id,
      method,
      path: isSecret(path) ? '/calendar/…' : path.slice(0, 200),
      status,
      ms: Math.round(ms * 10) / 10,
    }
    if (status >= 500 && status !== 503) log.error(line, 'request')
    else if (status === 503 && path !== '/readyz') log.warn(line, 'request')
    else if (writesInfo && isApi(path)) log.info(line, 'request')
    else if (writesDebug) log.debug(line, 'request')
  }
}

/** Whether the path contains a secret, as the path of a calendar feed does. */
function isSecret(path: string): boolean {
  return path.startsWith('/calendar/')
}

function isApi(path: string): boolean {
  return path.startsWith('/rest/') || path.startsWith('/auth/v1/') || path.startsWith('/realtime/')
}
