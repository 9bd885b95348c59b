import type { Logger } from 'pino'
import type { HttpRequest } from './exchange.ts'

/**
 * Makes the function that writes one line a request: id, method, path, status, milliseconds. Never the query, the body
 * or the address: filters and bodies hold personal data. Failures of ours are errors, the API is info, files
 * and probes are debug: a probe asks again and again while a server starts.
 */
export function createRequestLog(log: Logger): (request: HttpRequest, status: number, ms: number) => void {
  const writesInfo = log.isLevelEnabled('info')
  const writesDebug = log.isLevelEnabled('debug')
  return ({ id, method, path }, status, ms) => {
    const line = { id, method, path: path.slice(0, 200), status, ms: Math.round(ms * 10) / 10 }
    if (status >= 500 && status !== 503) log.error(line, 'request')
    else if (status === 503 && path !== '/readyz') log.warn(line, 'request')
    else if (writesInfo && isApi(path)) log.info(line, 'request')
    else if (writesDebug) log.debug(line, 'request')
  }
}

function isApi(path: string): boolean {
  return path.startsWith('/rest/') || path.startsWith('/auth/v1/') || path.startsWith('/realtime/')
}
