import { z } from 'zod'
import { recordEvent } from '#server/auth/audit.ts'
import { authenticate, type SignedInUser } from '#server/auth/authenticate.ts'
import type { AuthContext, AuthHandler } from '#server/auth/context.ts'
import { readInput } from '#server/auth/read-input.ts'
import { respondSession } from '#server/auth/sessions.ts'
import { inTransaction } from '#server/auth/transaction.ts'
import type { Querier } from '#server/auth/users.ts'
import { refusal } from '#server/http/errors.ts'
import type { HttpRequest } from '#server/http/exchange.ts'
import { type Challenge, readChallenge, spendChallenge } from './challenge.ts'
import { raiseSessionToAal2, endWeakSessions } from './elevate.ts'
import { type Factor, findFactor, hasVerifiedFactor, type StoredCredential } from './factor.ts'
import { factorIdOf } from './factor-path.ts'
import { insufficientLevel } from './refusals.ts'
import { matchingStep } from './totp.ts'
import { passkeyOrigins, relyingPartyIdOf, verifyPasskeyProof } from './webauthn.ts'

const inputSchema = z.object({
  challenge_id: z.string().nullish(),
  code: z.string().max(100).nullish(),
  webauthn: z.looseObject({ credential_response: z.unknown() }).nullish(),
})
type VerificationInput = z.infer<typeof inputSchema>

const amrMethods = { totp: 'totp', phone: 'mfa/phone', webauthn: 'mfa/webauthn', recovery_code: 'mfa/recovery_code' }

/** The values that a successful verification stores in the factor's row. */
type FactorUpdate = { step: number } | { credential: StoredCredential } | Record<string, never>

/**
 * POST /factors/:id/verify: verifies the factor. The session gets the level aal2 and new tokens. The first verification
 * activates the factor, ends the user's other sessions that have not verified a factor, deletes the other unverified
 * factors of the same type, and mails the user. Each code works once. Throws mfa_verification_failed for a wrong code.
 */
export const verifyFactor: AuthHandler = async (context, request) => {
  const given = readInput(request, inputSchema)
  const signedIn = await authenticate(context, request)
  const factor = await findFactor(context.db, signedIn.user.id, factorIdOf(request))
  await requireAal2ToActivate(context, signedIn, factor)
  await context.factorLimits.countAttempt(context.db, signedIn.user.id)
  const challenge = await readChallenge(context.db, factor, given.challenge_id, request.ip)
  const update = await checkProof(context, request, { factor, challenge, given })
  if (update === null) {
    await recordEvent(context.db, request, {
      action: 'mfa_failed',
      user: signedIn.user,
      sessionId: signedIn.sessionId,
      traits: { factor_type: factor.factor_type },
    })
    throw refusal('mfa_verification_failed', { message: wrongCodeMessages[factor.factor_type] })
  }
  const isFirst = factor.status === 'unverified'
  const renewedSession = await inTransaction(context.db, async (client) => {
    // The user is locked before the factor, as everywhere else. Otherwise this transaction and `removeFactors` could deadlock.
    if (isFirst) await client.query('select from auth.users where id = $1 for no key update', [signedIn.user.id])
    await spendChallenge(client, challenge)
    await storeVerification(client, factor, update)
    if (isFirst) await activate(context, client, request, signedIn, factor)
    return raiseSessionToAal2(context, client, signedIn, {
      factorId: factor.id,
      method: amrMethods[factor.factor_type],
    })
  })
  return respondSession(context.tokens, renewedSession)
}

const wrongCodeMessages: Record<Factor['factor_type'], string> = {
  totp: 'Invalid TOTP code entered',
  phone: 'Invalid MFA Phone code entered',
  webauthn: 'The passkey could not be verified',
  recovery_code: 'Invalid recovery code entered',
}

/**
 * Throws if the factor is not active, the user has another, active factor, and the session has not verified any factor.
 * Without this check, a person who knows only the password could enrol a factor while the user has none, and verify it
 * after the user has activated another factor.
 */
async function requireAal2ToActivate(context: AuthContext, { user, aal }: SignedInUser, factor: Factor): Promise<void> {
  if (factor.status === 'verified' || aal === 'aal2') return
  if (await hasVerifiedFactor(context.db, user.id)) throw insufficientLevel(403, 'AAL2 required to enroll a new factor')
}

/** Checks the code, or the browser's proof of a passkey. Returns what to store; null if the code or the proof is wrong. */
async function checkProof(
  context: AuthContext,
  request: HttpRequest,
  { factor, challenge, given }: { factor: Factor; challenge: Challenge; given: VerificationInput },
): Promise<FactorUpdate | null> {
  if (factor.factor_type === 'webauthn') {
    const site = relyingPartyIdOf(context.siteUrl)
    if (site === null) throw refusal('mfa_webauthn_verify_not_enabled')
    if (!given.webauthn) throw refusal('validation_failed', { message: 'WebAuthn data is required' })
    const credential = await verifyPasskeyProof(factor, {
      site,
      origins: passkeyOrigins(context.siteUrl, request),
      challenge: challenge.web_authn_session_data?.challenge ?? '',
      response: given.webauthn.credential_response,
    })
    return credential && { credential }
  }
  const code = given.code?.trim() ?? ''
  if (code === '') throw refusal('validation_failed', { message: 'Code needs to be non-empty' })
  if (factor.factor_type === 'phone')
    return context.factorCipher.hash('phone', `${challenge.id} ${code}`) === challenge.otp_code ? {} : null
  const step = matchingStep(decryptSecret(context, factor), code, Date.now())
  return step === null ? null : { step }
}

/** Returns the secret of an authenticator app. Throws mfa_verification_failed if it was encrypted with other keys than those in DATA_DIR. */
function decryptSecret({ factorCipher, log }: AuthContext, { id, secret }: Factor): string {
  try {
    return factorCipher.decrypt(id, secret ?? '')
  } catch {
    log.error(
      { factor: id },
      'a second factor cannot be decrypted: put back the keys.json with which it was added, or run npm run admin -- remove-factor',
    )
    throw refusal('mfa_verification_failed', {
      message:
        'This app cannot be checked, because the keys of the server have changed. Ask the operator of the server to remove the app',
    })
  }
}

/**
 * Stores the values of a successful verification. Throws mfa_verification_failed if this or a newer code of an authenticator
 * app was used before, or if the factor was deleted.
 */
async function storeVerification(db: Querier, factor: Factor, update: FactorUpdate): Promise<void> {
  const [step, credential] = [
    'step' in update ? update.step : null,
    'credential' in update ? JSON.stringify(update.credential) : null,
  ]
  const { rowCount } = await db.query(
    `update auth.mfa_factors set status = 'verified', updated_at = case when status = 'verified' then updated_at else now() end,
       last_totp_step = coalesce($2, last_totp_step), web_authn_credential = coalesce($3, web_authn_credential)
     where id = $1 and ($2::bigint is null or last_totp_step is null or last_totp_step < $2)`,
    [factor.id, step, credential],
  )
  if (!rowCount) throw refusal('mfa_verification_failed', { message: wrongCodeMessages[factor.factor_type] })
}

async function activate(
  context: AuthContext,
  db: Querier,
  request: HttpRequest,
  signedIn: SignedInUser,
  factor: Factor,
): Promise<void> {
  const { user, sessionId } = signedIn
  await db.query(
    `delete from auth.mfa_factors where user_id = $1 and factor_type = $2 and status = 'unverified' and id <> $3`,
    [user.id, factor.factor_type, factor.id],
  )
  await endWeakSessions(db, signedIn)
  const name = factor.friendly_name ?? ''
  await context.mail.queue(db, { template: 'factor-added', recipient: user.email ?? '', data: { name } })
  const traits = { factor_type: factor.factor_type, name }
  await recordEvent(db, request, { action: 'factor_verified', user, sessionId, traits })
}
