import * as fc from 'fast-check'
import { jsonBodies } from './fuzz-json.ts'
import type { FuzzRequest } from './fuzz-requests.ts'

const bodyKeys = [
  'email',
  'password',
  'current_password',
  'data',
  'refresh_token',
  'phone',
  'nonce',
  'app_metadata',
  '__proto__',
  'type',
  'token',
  'token_hash',
  'friendly_name',
  'factor_type',
  'issuer',
  'challenge_id',
  'code',
  'webauthn',
  'channel',
  'gotrue_meta_security',
]

/** The token and ids of a signed-in person, which let requests pass the first checks. */
export interface FuzzPerson {
  token: string
  /** Factors of every type, and a challenge of one of them. */
  factorIds: string[]
  challengeId: string
}

/**
 * Generates requests to the endpoints under `/auth/v1/` that read a token or a body. Most have a valid token; the bodies are almost valid or
 * hostile. Sign-out is left out, because it would end the run's session.
 */
export function signedInAuthRequests({ token, factorIds, challengeId }: FuzzPerson): fc.Arbitrary<FuzzRequest> {
  const ids = [...factorIds, crypto.randomUUID(), 'not-a-uuid', '%00', '%ff', '..', 'recovery-codes', '']
  const path = fc.oneof(
    fc.constantFrom(
      'signup',
      'token?grant_type=password',
      'token?grant_type=refresh_token',
      'token?grant_type=__proto__',
      'user',
      'user?redirect_to=//evil.example',
      'verify',
      'recover?redirect_to=javascript:alert(1)',
      'resend',
      'otp',
      'reauthenticate',
      'settings',
      'factors',
      'factors/recovery-codes',
      'factors/recovery-codes/verify',
      'factors/recovery-codes/regenerate',
      'admin/users',
    ),
    fc
      .tuple(fc.constantFrom(...ids), fc.constantFrom('', '/challenge', '/verify', '/else'))
      .map(([id, verb]) => `factors/${id}${verb}`),
  )
  const almostValid = fc.constantFrom(
    ...factorIds.map((factorId) => ({ factorId })),
    { factor_type: 'totp', friendly_name: 'x' },
    { factor_type: 'phone', phone: '+447700900123' },
    { factor_type: 'webauthn', friendly_name: '' },
    { challenge_id: challengeId, code: '123456' },
    { challenge_id: challengeId, webauthn: { type: 'create', credential_response: {} } },
    {
      challenge_id: challengeId,
      webauthn: { credential_response: { id: 'x', rawId: 'x', type: 'public-key', response: {} } },
    },
    {
      challenge_id: challengeId,
      webauthn: { credential_response: { response: { clientDataJSON: 'e30', attestationObject: 'oA' } } },
    },
    { code: 'k4m9-x7qp-2ab8-ht3z' },
    { type: 'recovery', token_hash: 'A'.repeat(64) },
    { email: 'nobody@example.com', password: 'not the password', nonce: '000000' },
    { data: { a: { b: [1, null, 'ü'] } } },
  )
  const hostile = jsonBodies(fc.constantFrom(...bodyKeys), ['challenge_id', 'code', 'email', 'factor_type', 'type'])
  return fc.record({
    method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'PUT', 'PATCH', 'HEAD'),
    path: path.map((one) => `/auth/v1/${one}`),
    headers: fc
      .record(
        {
          authorization: fc.oneof(
            { arbitrary: fc.constant(`Bearer ${token}`), weight: 8 },
            { arbitrary: fc.constantFrom('Bearer ', 'Bearer x.y.z', 'Basic eDp5', `Bearer ${token}x`), weight: 1 },
          ),
          'x-supabase-api-version': fc.constantFrom('2024-01-01', 'soon', '9999-99-99'),
        },
        { requiredKeys: ['authorization'] },
      )
      .map((headers) => ({ 'content-type': 'application/json', ...headers })),
    body: fc.option(
      fc.oneof(
        { arbitrary: hostile, weight: 3 },
        { arbitrary: almostValid.map((one) => JSON.stringify(one)), weight: 2 },
      ),
      {
        freq: 8,
      },
    ),
  })
}

const pathsWithoutSession = [
  'signup',
  'token?grant_type=password',
  'token?grant_type=refresh_token',
  'token?grant_type=',
  'token',
  'token?grant_type=password&grant_type=refresh_token',
  'user',
  'logout',
  'logout?scope=global',
  'logout?scope=nowhere',
  'verify',
  'recover',
  'recover?redirect_to=https://example.com',
  'resend',
  'otp',
  'reauthenticate',
  'settings',
  'health',
  '.well-known/jwks.json',
  'factors',
  'factors/not-a-uuid/verify',
  'admin/users',
  '',
  '%00',
  '%ff',
]
const keysWithoutSession = [
  'email',
  'password',
  'data',
  'refresh_token',
  'gotrue_meta_security',
  'phone',
  'nonce',
  'app_metadata',
  '__proto__',
  'current_password',
]

/**
 * Generates requests without a valid token to the endpoints under `/auth/v1/`. A sign-out with a valid token would end the run's
 * session.
 */
export function authRequests(): fc.Arbitrary<FuzzRequest> {
  const key = fc.constantFrom(...keysWithoutSession)
  return fc.record({
    method: fc.constantFrom('POST', 'POST', 'GET', 'PUT', 'DELETE', 'PATCH'),
    path: fc.constantFrom(...pathsWithoutSession).map((path) => `/auth/v1/${path}`),
    headers: fc
      .record(
        {
          authorization: fc.constantFrom('Bearer ', 'Bearer x.y.z', 'Basic eDp5', `Bearer ${'x'.repeat(4000)}`),
          'x-supabase-api-version': fc.constantFrom('2024-01-01', 'soon', '9999-99-99'),
        },
        { requiredKeys: ['authorization'] },
      )
      .map((headers) => ({ 'content-type': 'application/json', ...headers })),
    body: fc.option(jsonBodies(key, ['email', 'password', 'type', 'token_hash']), { freq: 6 }),
  })
}
