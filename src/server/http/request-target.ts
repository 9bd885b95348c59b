import { refusal } from './errors.ts'

export interface RequestTarget {
  path: string
  query: string
}

/**
 * Splits a request target into path and query. Only the origin form (`/path?query`) is accepted. Throws 400 for other
 * forms and for paths that programs may decode differently: a segment `.` or `..` in any encoding, a leading `//`, a backslash, a NUL,
 * percent-encoding that is not UTF-8.
 */
export function readTarget(url: string | undefined): RequestTarget {
  if (url === undefined || url.charCodeAt(0) !== slashCode || url.charCodeAt(1) === slashCode)
    throw refusal('bad_request')
  const queryMark = url.indexOf('?')
  const path = queryMark === -1 ? url : url.slice(0, queryMark)
  if (path.includes('%') || path.includes('/.') || path.includes('\\')) refuseAmbiguousPath(path)
  return { path, query: queryMark === -1 ? '' : url.slice(queryMark + 1) }
}

const slashCode = 47

function refuseAmbiguousPath(path: string): void {
  const decoded = decode(path)
  if (decoded.includes('\0') || decoded.includes('\\')) throw refusal('bad_request')
  if (decoded.split('/').some((part) => part === '..' || part === '.')) throw refusal('bad_request')
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw refusal('bad_request', { message: 'The path is not valid UTF-8' })
  }
}
