/**
 * Returns an error with this message and cause, and with the code of the cause, such as the SQLSTATE. The code says whether a
 * later start may succeed without an operator (`start-failure.ts`).
 */
export function migrationError(message: string, cause: unknown): Error {
  const error = new Error(message, { cause })
  return cause instanceof Error && 'code' in cause ? Object.assign(error, { code: cause.code }) : error
}
