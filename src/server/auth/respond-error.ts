import type { HttpError } from '#server/http/errors.ts'
import { type HttpRequest, type HttpResponse, json } from '#server/http/exchange.ts'

const versionHeader = 'X-Supabase-Api-Version'
const firstVersionWithCodes = '2024-01-01'

/**
 * The answer to an error of auth, in GoTrue's two shapes: a client that names its API version gets it echoed, without
 * which it would not read the code; an older one gets the number in `code` and the code beside it.
 */
export function respondAuthError(request: HttpRequest, error: HttpError): HttpResponse {
  const asked = String(request.headers['x-supabase-api-version'] ?? '')
  const code = error.code === 'internal' ? 'unexpected_failure' : error.code
  const headers = { ...error.headers, 'x-sb-error-code': code }
  if (/^\d{4}-\d{2}-\d{2}$/.test(asked) && asked >= firstVersionWithCodes) {
    const body = { code, message: error.message, ...error.members }
    return json(error.status, body, { ...headers, [versionHeader]: firstVersionWithCodes })
  }
  return json(error.status, { code: error.status, error_code: code, msg: error.message, ...error.members }, headers)
}
