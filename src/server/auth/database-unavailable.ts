import { isConnectionLoss } from '#server/db/connection-loss.ts'

/**
 * Whether the error means that the database cannot be used now: no connection, a lost connection, insufficient resources
 * such as disk space (SQLSTATE class 53), a lock that was not available (55P03), or a cancelled query (57014).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionLoss(error) || (error instanceof Error && 'code' in error && busySqlstate.test(String(error.code)))
}

const busySqlstate = /^(53...|55P03|57014)$/
