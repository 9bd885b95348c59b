import { isConnectionLoss } from '#server/db/connection-loss.ts'

/**
 * Whether the error means that the database cannot be used now: no connection, a lost connection, no space (SQLSTATE
 * class 53), or no time for the query (55P03, 57014).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return isConnectionLoss(error) || (error instanceof Error && 'code' in error && busySqlstate.test(String(error.code)))
}

const busySqlstate = /^(53...|55P03|57014)$/
