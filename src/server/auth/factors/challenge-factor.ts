import { randomInt, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { authenticate, type SignedInUser } from '#server/auth/authenticate.ts'
import type { AuthContext, AuthHandler } from '#server/auth/context.ts'
import { refusal } from '#server/http/errors.ts'
import { json } from '#server/http/exchange.ts'
import { type Factor, findFactor, listFactors } from './factor.ts'
import { factorIdOf } from './factor-path.ts'
import { passkeyOptions, relyingPartyIdOf } from './webauthn.ts'

/** A challenge must be verified within this time after its creation. */
export const challengeLifeSeconds = 300

/**
 * The parts of a challenge that depend on the factor type. `members` become part of the response. `code` (a keyed hash of
 * the code) and `session` are stored.
 */
interface PreparedChallenge {
  members: Record<string, unknown>
  code?: string
  session?: { challenge: string }
}

/**
 * POST /factors/:id/challenge: creates a challenge, and sends a code if the factor is a phone. The challenge can be verified
 * once, within 5 minutes, from the same IP address.
 */
export const challengeFactor: AuthHandler = async (context, request) => {
  const signedIn = await authenticate(context, request)
  const factor = await findFactor(context.db, signedIn.user.id, factorIdOf(request))
  const id = randomUUID()
  const challenge = await prepareChallenge(context, request.ip, { signedIn, factor, id })
  await context.db.query(
    `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
     values ($1, $2, now(), $3, $4, $5)`,
    [id, factor.id, isIP(request.ip) ? request.ip : null, challenge.code ?? null, challenge.session ?? null],
  )
  await context.db.query(
    `with old as (delete from auth.mfa_challenges where factor_id = $1 and created_at < now() - interval '1 hour')
     update auth.mfa_factors set last_challenged_at = now() where id = $1`,
    [factor.id],
  )
  const expiresAt = Math.floor(Date.now() / 1000) + challengeLifeSeconds
  return json(200, { id, type: factor.factor_type, expires_at: expiresAt, ...challenge.members })
}

async function prepareChallenge(
  context: AuthContext,
  ip: string,
  { signedIn: { user }, factor, id }: { signedIn: SignedInUser; factor: Factor; id: string },
): Promise<PreparedChallenge> {
  switch (factor.factor_type) {
    case 'phone': {
      const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
      const phone = factor.phone ?? ''
      const unverifiedPhone = factor.status === 'verified' ? null : phone
      await context.factorLimits.countMessage(context.db, { userId: user.id, unverifiedPhone, ip })
      await context.sendSms({ phone, message: textMessageOf(code, context.siteUrl) })
      return { members: {}, code: context.factorCipher.hash('phone', `${id} ${code}`) }
    }
    case 'webauthn': {
      const site = relyingPartyIdOf(context.siteUrl)
      if (site === null) throw refusal('mfa_webauthn_verify_not_enabled')
      const allFactors = await listFactors(context.db, user.id)
      const webauthn = await passkeyOptions(site, user, factor, allFactors)
      return { members: { webauthn }, session: { challenge: webauthn.credential_options.publicKey.challenge } }
    }
    default:
      return { members: {} }
  }
}

/**
 * Returns the text message with a code. Its last line lets a phone's browser fill in the code, but only on this site (WICG,
 * origin-bound one-time codes).
 */
function textMessageOf(code: string, siteUrl: string): string {
  const { host, hostname } = new URL(siteUrl)
  return `Your sign-in code for ${host} is ${code}. Do not pass it on.\n\n@${hostname} #${code}`
}
