import { type RefusalName, refusalCodes } from '#shared/refusal-codes.ts'

/**
 * Whether an error of the server is the refusal with this name. The code decides. NOT_AUTHORIZED and USER_NOT_FOUND share the code P0001, so for
 * them the message must also be the name (docs/decisions/043).
 *
 * @example if (isRefusal(outcome, 'LAST_OWNER')) toast.error('Hand the brand over first')
 */
export function isRefusal(error: { message: string; code?: string | null | undefined }, name: RefusalName): boolean {
  const code = refusalCodes[name]
  return error.code === code && (code !== sharedCode || error.message === name)
}

/** PostgreSQL's code of an exception that is raised without a code. */
const sharedCode = 'P0001'
