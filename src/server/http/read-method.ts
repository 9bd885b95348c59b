import { refusal } from './errors.ts'
import type { HttpRequest } from './exchange.ts'

/** Throws 405 with the allowed methods in the header `Allow`, unless the request's method is GET or HEAD. */
export function requireReadMethod({ method }: HttpRequest): void {
  if (method !== 'GET' && method !== 'HEAD') throw refusal('method_not_allowed', { headers: { Allow: 'GET, HEAD' } })
}
