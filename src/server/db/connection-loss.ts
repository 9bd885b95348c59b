/**
 * Whether an error of pg means that the connection is lost or that the database accepts none now: SQLSTATE classes 08
 * and 57P0x, a socket errno, or one of pg's own messages. The caller then gets 503 with `Retry-After`.
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
