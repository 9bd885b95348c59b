import { isIP } from 'node:net'
import type { Querier } from '#server/auth/users.ts'
import { refusal } from '#server/http/errors.ts'
import { challengeLifeSeconds } from './challenge-factor.ts'
import type { Factor } from './factor.ts'
import { unknownChallenge } from './refusals.ts'

/** A row of auth.mfa_challenges. */
export interface Challenge {
  id: string
  /** A keyed hash of the code that was sent. Null unless the factor is a phone. */
  otp_code: string | null
  web_authn_session_data: { challenge: string } | null
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Returns the challenge with this id. Throws GoTrue's errors unless the challenge belongs to this factor, was created from
 * this IP address, is unused, and is at most `challengeLifeSeconds` old.
 */
export async function readChallenge(
  db: Querier,
  factor: Factor,
  id: string | null | undefined,
  ip: string,
): Promise<Challenge> {
  if (!id || !uuidPattern.test(id)) throw unknownChallenge()
  const { rows } = await db.query<Challenge & { is_spent: boolean; is_same_ip: boolean; is_alive: boolean }>({
    name: 'auth-challenge',
    text: `
      select id, otp_code, web_authn_session_data, verified_at is not null as is_spent,
        ip_address is not distinct from $3::inet as is_same_ip,
        created_at > now() - make_interval(secs => $4) as is_alive
      from auth.mfa_challenges where id = $1 and factor_id = $2`,
    values: [id, factor.id, isIP(ip) ? ip : null, challengeLifeSeconds],
  })
  const [challenge] = rows
  if (challenge === undefined) throw unknownChallenge()
  if (challenge.is_spent || !challenge.is_same_ip) throw refusal('mfa_ip_address_mismatch')
  if (!challenge.is_alive) throw refusal('mfa_challenge_expired')
  return challenge
}

/** Marks the challenge as used. Throws if another request has used the challenge first. */
export async function spendChallenge(db: Querier, { id }: Challenge): Promise<void> {
  const { rowCount } = await db.query(
    'update auth.mfa_challenges set verified_at = now() where id = $1 and verified_at is null',
    [id],
  )
  if (!rowCount) throw refusal('mfa_ip_address_mismatch')
}
