import type { HttpError } from '#server/http/errors.ts'
import { type HttpRequest, type HttpResponse, json } from '#server/http/exchange.ts'

const versionHeader = 'X-Supabase-Api-Version'
const firstVersionWithCodes = '2024-01-01'

/**
 * Returns the response to an error, in one of GoTrue's two formats. A client that sends an API version of 2024-01-01 or later
 * gets the header `X-Supabase-Api-Version` in the response; without this header the client would not read `code`. Any other
 * client gets the status in `code` and the code in `error_code`.
 */
export function respondAuthError(request: HttpRequest, error: HttpError): HttpResponse {
  const clientVersion = String(request.headers['x-supabase-api-version'] ?? '')
  const code = error.code === 'internal' ? 'unexpected_failure' : error.code
  const headers = { ...error.headers, 'x-sb-error-code': code }
  if (/^\d{4}-\d{2}-\d{2}$/.test(clientVersion) && clientVersion >= firstVersionWithCodes) {
    const body = { code, message: error.message, ...error.members }
    return json(error.status, body, { ...headers, [versionHeader]: firstVersionWithCodes })
  }
  return json(error.status, { code: error.status, error_code: code, msg: error.message, ...error.members }, headers)
}
