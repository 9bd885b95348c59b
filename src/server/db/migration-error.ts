/**
 * Returns an error with this message and its cause, and with the code (such as the SQLSTATE) of the cause: by the code, main.ts
 * decides whether the start may succeed later without an operator.
 */
export function migrationError(message: string, cause: unknown): Error {
  const error = new Error(message, { cause })
  return cause instanceof Error && 'code' in cause ? Object.assign(error, { code: cause.code }) : error
}
