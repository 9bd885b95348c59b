/**
 * Whether an error of pg says that the connection is gone or that the database does not take one now: SQLSTATE classes
 * 08 and 57P0x, an errno of the socket, or pg's own words. The answer to a caller is then 503 with `Retry-After`.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  if (/^(08|57P0)/.test(code) || /^E[A-Z]+$/.test(code)) return true
  return (
    code === '' &&
    /^(Connection terminated|timeout e|The database does not answer|Client has encountered)/.test(error.message)
  )
}
