import { HttpError, refusal } from '#server/http/errors.ts'

/** The session must verify a second factor first. GoTrue uses another status for each verb. */
export function insufficientLevel(status: 401 | 403 | 422, message = 'AAL2 session is required'): HttpError {
  return new HttpError(status, 'insufficient_aal', message)
}

/** The factor id is not a UUID. The code is that of the table, the status and message are GoTrue's. */
export function unknownFactorId(): HttpError {
  return new HttpError(404, 'validation_failed', 'factor_id must be a UUID')
}

/** The challenge does not exist, or belongs to another factor. */
export function unknownChallenge(): HttpError {
  return new HttpError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')
}

/** 429 with `Retry-After`. */
export function tooMany(
  code: 'over_request_rate_limit' | 'over_sms_send_rate_limit' | 'mfa_recovery_codes_locked',
  seconds: number,
): HttpError {
  return refusal(code, { headers: { 'Retry-After': String(seconds) } })
}
