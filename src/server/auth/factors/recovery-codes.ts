import { randomInt, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordEvent } from '#server/auth/audit.ts'
import { authenticate, type SignedInUser } from '#server/auth/authenticate.ts'
import type { AuthContext, AuthHandler } from '#server/auth/context.ts'
import { readInput } from '#server/auth/read-input.ts'
import { respondSession } from '#server/auth/sessions.ts'
import { isStorableText } from '#server/auth/storable-text.ts'
import { inTransaction } from '#server/auth/transaction.ts'
import type { Querier } from '#server/auth/users.ts'
import { refusal } from '#server/http/errors.ts'
import { type HttpRequest, json } from '#server/http/exchange.ts'
import { raiseSessionToAal2, endWeakSessions } from './elevate.ts'
import { type Factor, listFactors } from './factor.ts'
import { insufficientLevel } from './refusals.ts'
import { removeFactors } from './unenroll-factor.ts'

const codesPerSet = 10
const codeLength = 16

/**
 * The characters of recovery codes, without letters and digits that look alike. A code of 16 random characters has 79
 * random bits, because there are 31 characters.
 */
const codeAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

const nameSchema = z.object({ friendly_name: z.string().max(100).refine(isStorableText, 'cannot be stored').nullish() })

/**
 * GET /factors/recovery-codes: returns how many recovery codes the user's set has, and how many of them are unused. Throws
 * mfa_factor_not_found if the user has no set.
 */
export const recoveryCodesStatus: AuthHandler = async (context, request) => {
  const { user } = await authenticate(context, request)
  const { id } = await findRecoveryCodeSet(context.db, user.id)
  const { rows } = await context.db.query<{ total: number; remaining: number }>(
    `select count(*)::int as total, (count(*) filter (where used_at is null))::int as remaining
     from auth.mfa_recovery_codes where factor_id = $1`,
    [id],
  )
  return json(200, { id, type: 'recovery_code', ...rows[0] })
}

/**
 * POST /factors/recovery-codes: creates ten recovery codes, which are returned only in this response. The user needs an
 * active factor of another type and a session at aal2, and can have only one set of codes.
 */
export const makeRecoveryCodes: AuthHandler = async (context, request) => {
  const given = request.body.length === 0 ? {} : readInput(request, nameSchema)
  const signedIn = await authenticate(context, request)
  const factors = (await listFactors(context.db, signedIn.user.id)).filter(({ status }) => status === 'verified')
  if (!factors.some(({ factor_type }) => factor_type !== 'recovery_code'))
    throw refusal('mfa_recovery_codes_sole_factor')
  if (signedIn.aal !== 'aal2') throw insufficientLevel(403)
  const id = randomUUID()
  const friendlyName = given.friendly_name?.trim() || null
  const codes = await inTransaction(context.db, async (client) => {
    await insertSet(client, { id, userId: signedIn.user.id, friendlyName })
    return writeCodes(context, client, request, signedIn, id)
  })
  return json(200, codesResponse(id, friendlyName, codes))
}

/**
 * POST /factors/recovery-codes/regenerate: creates ten new recovery codes. The old codes become invalid. The session must
 * have the level aal2.
 */
export const regenerateRecoveryCodes: AuthHandler = async (context, request) => {
  const signedIn = await authenticate(context, request)
  const set = await findRecoveryCodeSet(context.db, signedIn.user.id)
  if (signedIn.aal !== 'aal2') throw insufficientLevel(403)
  const codes = await inTransaction(context.db, (client) => writeCodes(context, client, request, signedIn, set.id))
  return json(200, codesResponse(set.id, set.friendly_name, codes))
}

const codeSchema = z.object({ code: z.string().max(200) })

/**
 * POST /factors/recovery-codes/verify: uses up one recovery code, raises this session to aal2, and ends the user's other
 * sessions that have not verified a factor. Throws mfa_verification_failed for a wrong code, which is counted, and
 * mfa_recovery_codes_locked after too many wrong codes.
 */
export const verifyRecoveryCode: AuthHandler = async (context, request) => {
  const { code } = readInput(request, codeSchema)
  const signedIn = await authenticate(context, request)
  const { user, sessionId } = signedIn
  await context.factorLimits.refuseLocked(context.db, user.id)
  const set = (await listFactors(context.db, user.id)).find(isRecoveryCodeSet)
  const renewedSession =
    set && (await inTransaction(context.db, (client) => spendCode(context, client, request, { signedIn, set, code })))
  if (renewedSession) return respondSession(context.tokens, renewedSession)
  await context.factorLimits.countWrongRecoveryCode(context.db, user.id)
  const traits = { factor_type: 'recovery_code' }
  await recordEvent(context.db, request, { action: 'mfa_failed', user, sessionId, traits })
  throw refusal('mfa_verification_failed', { message: 'Invalid recovery code entered' })
}

/** DELETE /factors/recovery-codes: deletes all recovery codes of the user. The session must have the level aal2. */
export const removeRecoveryCodes: AuthHandler = async (context, request) => {
  const { user, sessionId, aal } = await authenticate(context, request)
  const { id } = await findRecoveryCodeSet(context.db, user.id)
  if (aal !== 'aal2') throw insufficientLevel(422)
  await inTransaction(context.db, async (client) => {
    await removeFactors(client, user.id, [id])
    await recordEvent(client, request, {
      action: 'factor_deleted',
      user,
      sessionId,
      traits: { factor_type: 'recovery_code', name: '' },
    })
  })
  return json(200, { id })
}

async function findRecoveryCodeSet(db: Querier, userId: string): Promise<Factor> {
  const set = (await listFactors(db, userId)).find(isRecoveryCodeSet)
  if (set === undefined) throw refusal('mfa_factor_not_found')
  return set
}

function isRecoveryCodeSet({ factor_type }: Factor): boolean {
  return factor_type === 'recovery_code'
}

async function insertSet(
  db: Querier,
  { id, userId, friendlyName }: { id: string; userId: string; friendlyName: string | null },
): Promise<void> {
  try {
    await db.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
       values ($1, $2, $3, 'recovery_code', 'verified', now(), now())`,
      [id, userId, friendlyName],
    )
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code !== '23505') throw error
    throw refusal(constraint === oneSetConstraint ? 'mfa_verified_factor_exists' : 'mfa_factor_name_conflict')
  }
}

const oneSetConstraint = 'mfa_factors_one_set_of_recovery_codes'

async function writeCodes(
  { factorCipher, factorLimits }: AuthContext,
  db: Querier,
  request: HttpRequest,
  { user, sessionId }: SignedInUser,
  id: string,
): Promise<string[]> {
  const codes = Array.from({ length: codesPerSet }, newCode)
  await db.query('delete from auth.mfa_recovery_codes where factor_id = $1', [id])
  await db.query('insert into auth.mfa_recovery_codes (factor_id, code_hash) select $1, unnest($2::text[])', [
    id,
    codes.map((code) => factorCipher.hash('recovery', `${id} ${code}`)),
  ])
  await factorLimits.clearRecoveryCodeAttempts(db, user.id)
  await recordEvent(db, request, { action: 'recovery_codes_generated', user, sessionId })
  return codes
}

async function spendCode(
  context: AuthContext,
  db: Querier,
  request: HttpRequest,
  { signedIn, set, code }: { signedIn: SignedInUser; set: Factor; code: string },
) {
  const { rowCount } = await db.query(
    `update auth.mfa_recovery_codes set used_at = now() where factor_id = $1 and code_hash = $2 and used_at is null`,
    [set.id, context.factorCipher.hash('recovery', `${set.id} ${normalizeCode(code)}`)],
  )
  if (!rowCount) return null
  await endWeakSessions(db, signedIn)
  const { user, sessionId } = signedIn
  await recordEvent(db, request, { action: 'recovery_code_used', user, sessionId })
  return raiseSessionToAal2(context, db, signedIn, { factorId: set.id, method: 'mfa/recovery_code' })
}

function newCode(): string {
  return Array.from({ length: codeLength }, () => codeAlphabet[randomInt(0, codeAlphabet.length)]).join('')
}

/** Returns a code that a person has typed, in lower case, without spaces and hyphens. */
function normalizeCode(code: string): string {
  return code.toLowerCase().replaceAll(/[\s-]/g, '')
}

function codesResponse(id: string, friendlyName: string | null, codes: string[]) {
  return { id, type: 'recovery_code', friendly_name: friendlyName ?? '', total: codes.length, codes }
}
