import { refusal } from '#server/http/errors.ts'
import type { Querier } from '#server/auth/users.ts'
import { unknownFactorId } from './refusals.ts'

export type FactorType = 'totp' | 'phone' | 'webauthn' | 'recovery_code'

/** A row of auth.mfa_factors. */
export interface Factor {
  id: string
  user_id: string
  friendly_name: string | null
  factor_type: FactorType
  status: 'unverified' | 'verified'
  /** The secret of an authenticator app, encrypted. Null for other factor types. */
  secret: string | null
  phone: string | null
  web_authn_credential: StoredCredential | null
}

/** The part of a passkey or security key that the server stores. */
export interface StoredCredential {
  id: string
  /** The public key (base64url). */
  publicKey: string
  counter: number
  transports?: string[]
}

const factorColumns = 'id, user_id, friendly_name, factor_type, status, secret, phone, web_authn_credential'

/** Age at which the next enrolment deletes an unverified factor (seconds). */
export const unverifiedLifeSeconds = 300

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns a factor of this user. Throws 404 for an unknown or invalid id, another user's factor, and a set of recovery codes. */
export async function findFactor(db: Querier, userId: string, id: string | undefined): Promise<Factor> {
  if (id === undefined || !uuidPattern.test(id)) throw unknownFactorId()
  const { rows } = await db.query<Factor>({
    name: 'auth-factor',
    text: `select ${factorColumns} from auth.mfa_factors where id = $1 and user_id = $2 and factor_type <> 'recovery_code'`,
    values: [id, userId],
  })
  const [factor] = rows
  if (factor === undefined) throw refusal('mfa_factor_not_found')
  return factor
}

/** Returns all factors of a user, oldest first, with unverified factors and the set of recovery codes. */
export async function listFactors(db: Querier, userId: string): Promise<Factor[]> {
  const { rows } = await db.query<Factor>({
    name: 'auth-factors',
    text: `select ${factorColumns} from auth.mfa_factors where user_id = $1 order by created_at`,
    values: [userId],
  })
  return rows
}

/** Whether this user has a verified factor, and so must verify one at sign-in. */
export async function hasVerifiedFactor(db: Querier, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>({
    name: 'auth-factor-verified',
    text: `select exists (select from auth.mfa_factors where user_id = $1 and status = 'verified') as has`,
    values: [userId],
  })
  return rows[0]?.has === true
}
