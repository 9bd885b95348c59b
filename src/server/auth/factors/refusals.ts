import { HttpError, refusal } from '#server/http/errors.ts'

/**
 * Returns the refusal of a session that must verify a second factor first. The status depends on the request, as in
 * GoTrue.
 */
export function insufficientLevel(status: 401 | 403 | 422, message = 'AAL2 session is required'): HttpError {
  return new HttpError(status, 'insufficient_aal', message)
}

/** Returns the refusal of a factor id that is no UUID, with the status, code and message of GoTrue. */
export function unknownFactorId(): HttpError {
  return new HttpError(404, 'validation_failed', 'factor_id must be a UUID')
}

/** Returns the refusal of a challenge that does not exist or belongs to another factor. */
export function unknownChallenge(): HttpError {
  return new HttpError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')
}

/** Returns a refusal with status 429 and the header `Retry-After`. */
export function tooManyRequests(
  code: 'over_request_rate_limit' | 'over_sms_send_rate_limit' | 'mfa_recovery_codes_locked',
  seconds: number,
): HttpError {
  const headers = { 'Retry-After': String(seconds) }
  if (code !== 'over_sms_send_rate_limit') return refusal(code, { headers })
  // GoTrue's message.
  return refusal(code, {
    headers,
    message: `For security purposes, you can only request this after ${seconds} seconds`,
  })
}
