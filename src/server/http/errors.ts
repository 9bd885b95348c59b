import { type HttpResponse, jsonType } from './exchange.ts'

/**
 * The table of errors. It maps each code to a status and a message; only errors with an SQLSTATE or a code `PTnnn` are not in
 * it. The codes and statuses of REST and auth are those of PostgREST and GoTrue, because the official client distinguishes
 * errors by them. The function that throws an error may give a more exact message.
 */
export const errorTable = {
  // Any request
  bad_request: [400, 'The request cannot be read'],
  not_found: [404, 'There is nothing at this URL'],
  method_not_allowed: [405, 'This URL does not support this method'],
  request_timeout: [408, 'The request took too long to arrive'],
  payload_too_large: [413, 'The request body is too large'],
  answer_too_large: [
    413,
    'The response is larger than 32 MB. Select fewer columns or embedded resources, or request fewer rows with limit or Range',
  ],
  header_too_large: [431, 'The request headers are too large'],
  internal: [500, 'Something went wrong on the server'],
  unavailable: [503, 'The server is busy or the database is unreachable. Try again in a moment'],
  no_api_key: [401, 'No API key found in request'],
  invalid_api_key: [401, 'Invalid API key'],

  // REST: the request (PGRST1xx), the schema (PGRST2xx), the token (PGRST3xx)
  PGRST100: [400, 'The query string cannot be parsed'],
  PGRST101: [405, 'Only the GET, HEAD and POST methods are allowed on functions'],
  PGRST102: [400, 'Empty or invalid json'],
  PGRST103: [416, 'Requested range not satisfiable'],
  PGRST106: [406, 'The schema is not exposed'],
  PGRST107: [406, 'None of these media types are available'],
  PGRST108: [400, 'The relation is not an embedded resource in this request'],
  PGRST116: [406, 'Cannot coerce the result to a single JSON object'],
  PGRST117: [405, 'Unsupported HTTP method'],
  PGRST118: [400, 'A related order is not possible'],
  PGRST120: [400, 'Bad operator on the embedded resource'],
  PGRST122: [400, 'Invalid preferences given with handling=strict'],
  PGRST123: [400, 'Use of aggregate functions is not allowed'],
  PGRST124: [400, 'Query result exceeds max-affected preference constraint'],
  PGRST125: [404, 'Invalid path specified in request URL'],
  PGRST127: [400, 'Feature not implemented'],
  PGRST128: [400, 'Invalid preferences'],
  PGRST200: [400, 'Could not find a relationship in the schema cache'],
  PGRST201: [300, 'Could not embed because more than one relationship was found'],
  PGRST202: [404, 'Could not find the function in the schema cache'],
  PGRST203: [300, 'Could not choose the best candidate function'],
  PGRST204: [400, 'Could not find the column in the schema cache'],
  PGRST205: [404, 'Could not find the table in the schema cache'],
  PGRST301: [401, 'JWT invalid'],
  PGRST303: [401, 'JWT expired'],

  // Auth
  anonymous_provider_disabled: [422, 'Anonymous sign-ins are disabled'],
  bad_json: [400, 'Could not parse request body as JSON'],
  bad_jwt: [403, 'invalid JWT'],
  current_password_invalid: [422, 'The current password is wrong'],
  current_password_required: [422, 'The current password is needed to set a new one'],
  email_exists: [422, 'A user with this email address has already been registered'],
  email_not_confirmed: [400, 'Email not confirmed'],
  invalid_credentials: [400, 'Invalid login credentials'],
  mfa_challenge_expired: [
    422,
    'MFA challenge has expired, verify against another challenge or create a new challenge.',
  ],
  mfa_factor_name_conflict: [422, 'A factor with the friendly name for this user already exists'],
  mfa_factor_not_found: [404, 'Factor not found'],
  mfa_ip_address_mismatch: [422, 'Challenge and verify IP addresses mismatch.'],
  mfa_recovery_codes_locked: [429, 'Too many wrong recovery codes. Wait, or use another factor'],
  mfa_recovery_codes_sole_factor: [422, 'Recovery codes can never be the only factor'],
  mfa_verification_failed: [422, 'Invalid MFA code entered'],
  mfa_verified_factor_exists: [422, 'There is a set of recovery codes already'],
  mfa_webauthn_enroll_not_enabled: [422, 'Passkeys need a server address that is a name, not an IP address'],
  mfa_webauthn_verify_not_enabled: [422, 'Passkeys need a server address that is a name, not an IP address'],
  no_authorization: [401, 'This endpoint requires a valid Bearer token'],
  not_admin: [403, 'User not allowed'],
  otp_disabled: [422, 'Signups not allowed for otp'],
  otp_expired: [403, 'Email link is invalid or has expired'],
  over_email_send_rate_limit: [429, 'For security purposes, you can only request this once every 60 seconds'],
  over_request_rate_limit: [429, 'Request rate limit reached'],
  over_sms_send_rate_limit: [429, 'For security purposes, you can only request this after some seconds'],
  phone_provider_disabled: [400, 'Unsupported phone provider'],
  reauthentication_not_valid: [422, 'Verification code has expired or is invalid'],
  refresh_token_already_used: [400, 'Invalid Refresh Token: Already Used'],
  refresh_token_not_found: [400, 'Invalid Refresh Token: Refresh Token Not Found'],
  same_password: [422, 'New password should be different from the old password.'],
  session_not_found: [403, 'Session from session_id claim in JWT does not exist'],
  signup_disabled: [422, 'Signups not allowed for this instance'],
  sms_send_failed: [422, 'The code could not be sent'],
  too_many_enrolled_mfa_factors: [422, 'Maximum number of enrolled factors reached, unenroll to continue'],
  user_already_exists: [422, 'User already registered'],
  user_banned: [400, 'User is banned'],
  user_not_found: [403, 'User from sub claim in JWT does not exist'],
  validation_failed: [400, 'The request is not valid'],
  weak_password: [422, 'Password should be at least 6 characters.'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errorTable

export interface ErrorFields {
  message?: string
  details?: string | null
  hint?: string | null
  headers?: Record<string, string>
  /** Additional members of the body of an auth error, such as `weak_password`. */
  members?: Record<string, unknown>
}

/** An error with its HTTP status. `code` is a key of `errorTable`, an SQLSTATE, or `PTnnn` (`nnn` is the status). */
export class HttpError extends Error {
  readonly status: number
  readonly code: string
  readonly details: string | null
  readonly hint: string | null
  readonly headers: Record<string, string> | undefined
  readonly members: Record<string, unknown> | undefined

  constructor(status: number, code: string, message: string, fields: Omit<ErrorFields, 'message'> = {}) {
    super(message)
    this.name = 'HttpError'
    this.status = status
    this.code = code
    this.details = fields.details ?? null
    this.hint = fields.hint ?? null
    this.headers = fields.headers
    this.members = fields.members
  }
}

/**
 * Creates the error with this code, with its status and message from `errorTable`:
 * `throw refusal('PGRST116', { details: 'The result contains 0 rows' })`. `fields.message` replaces the message.
 */
export function refusal(code: ErrorCode, fields: ErrorFields = {}): HttpError {
  const [status, message] = errorTable[code]
  return new HttpError(status, code, fields.message ?? message, fields)
}

/**
 * Returns the response to an error in PostgREST's format, with all four members (null if empty). All protocols except
 * auth use this format. No cache may store the response, because the error may be temporary or contain personal data.
 */
export function errorResponse(error: HttpError): HttpResponse {
  const { code, message, details, hint } = error
  return {
    status: error.status,
    headers: { 'Content-Type': jsonType, 'Cache-Control': 'no-store', ...error.headers },
    body: JSON.stringify({ code, message, details, hint }),
  }
}
