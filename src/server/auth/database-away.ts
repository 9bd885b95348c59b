import { isConnectionLoss } from '#server/db/connection-loss.ts'

/**
 * No connection, a lost connection, or a database without space or time for the query (SQLSTATE class 53, 55P03,
 * 57014).
 */
export function isDatabaseAway(error: unknown): boolean {
  return isConnectionLoss(error) || (error instanceof Error && 'code' in error && busySqlstate.test(String(error.code)))
}

const busySqlstate = /^(53...|55P03|57014)$/
