/**
 * Returns an error with this message and cause, and with the code of the cause, such as the SQLSTATE. From the code, main.ts
 * decides whether a later start may succeed without an operator.
 */
export function migrationError(message: string, cause: unknown): Error {
  const error = new Error(message, { cause })
  return cause instanceof Error && 'code' in cause ? Object.assign(error, { code: cause.code }) : error
}
