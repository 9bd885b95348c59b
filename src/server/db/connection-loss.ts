/**
 * Whether an error of pg means that the connection is lost or that the database accepts no connections now: SQLSTATE 08…
 * or 57P0…, a system error code of the socket, or one of pg's own messages. The response is then 503 with `Retry-After`.
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
