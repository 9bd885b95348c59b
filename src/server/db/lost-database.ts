import { isConnectionLoss } from './connection-loss.ts'
import { externalConnection } from './external-database.ts'

/** Matches the system error codes of a network connection. */
const networkCodePattern = /^(ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH)$/

/**
 * Runs `work`, which uses the external database (`databaseUrl`) or the embedded database of `dataDir`. If it fails because the connection cannot be
 * opened or is lost, throws an error that names the database (never its password) and says what to do. The error has the code of the failure.
 */
export async function nameLostDatabase<T>(
  { databaseUrl, dataDir }: { databaseUrl?: string | undefined; dataDir: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isLostDatabase(error)) throw error
    const advice =
      databaseUrl === undefined
        ? `The embedded database of ${dataDir} cannot be reached, or has ended. Check that its disk has space`
        : `${describeExternal(databaseUrl)} cannot be reached, or has closed the connection. Check that PostgreSQL runs there, and that this machine can connect to it`
    const { code, syscall } = error as NodeJS.ErrnoException
    const lost = new Error(`${advice}; then run this again. (${reasonOf(error)})`, { cause: error })
    throw Object.assign(lost, { code, syscall })
  }
}

/** Whether the connection to the database failed. False for errors of the file system, although `isConnectionLoss` accepts their codes. */
function isLostDatabase(error: unknown): error is Error {
  if (!isConnectionLoss(error)) return false
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return !code.startsWith('E') || networkCodePattern.test(code) || syscall === 'connect'
}

function describeExternal(databaseUrl: string): string {
  const { host = '', port } = externalConnection(databaseUrl)
  if (host.startsWith('/')) return `The database of the socket directory ${host} (port ${port})`
  return `The database at ${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Returns the message of an error. If a host name has several addresses, the error has no message, but contains the errors of the addresses. */
function reasonOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message
  return error.errors.map((each: unknown) => (each instanceof Error ? each.message : String(each))).join('; ')
}
