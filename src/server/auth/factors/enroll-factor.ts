import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { encodeQR } from 'qr'
import { z } from 'zod'
import { authenticate } from '#server/auth/authenticate.ts'
import type { AuthContext, AuthHandler } from '#server/auth/context.ts'
import { readInput } from '#server/auth/read-input.ts'
import { isStorableText } from '#server/auth/storable-text.ts'
import { inTransaction } from '#server/auth/transaction.ts'
import type { UserRow } from '#server/auth/users.ts'
import { refusal } from '#server/http/errors.ts'
import { json } from '#server/http/exchange.ts'
import { listFactors, unverifiedLifeSeconds } from './factor.ts'
import { insufficientLevel } from './refusals.ts'
import { keyUri, newSecret } from './totp.ts'
import { relyingPartyIdOf } from './webauthn.ts'

const storableText = (maxLength: number) =>
  z.string().max(maxLength).refine(isStorableText, 'contains characters that cannot be stored')

const inputSchema = z.object({
  factor_type: z.enum(['totp', 'phone', 'webauthn'], 'factor_type needs to be totp, phone, or webauthn'),
  friendly_name: storableText(100).nullish(),
  issuer: storableText(100).nullish(),
  phone: storableText(30).nullish(),
})
type EnrolmentInput = z.infer<typeof inputSchema>

/** Maximum number of factors of a user, including unverified ones: GoTrue's default. Recovery codes are not counted. */
const maxFactors = 10

/**
 * POST /factors: creates a factor of the signed-in user. It becomes active when it is verified. The next enrolment deletes
 * the user's unverified factors that are older than 5 minutes. A user who has an active factor must have verified one in
 * this session.
 */
export const enrollFactor: AuthHandler = async (context, request) => {
  const enrolment = readInput(request, inputSchema)
  const { user, aal } = await authenticate(context, request)
  const phone = enrolment.factor_type === 'phone' ? readPhone(enrolment.phone) : null
  if (enrolment.factor_type === 'webauthn' && relyingPartyIdOf(context.siteUrl) === null)
    throw refusal('mfa_webauthn_enroll_not_enabled')

  const id = randomUUID()
  const secret = enrolment.factor_type === 'totp' ? newSecret() : null
  const name = enrolment.friendly_name?.trim() || null
  await inTransaction(context.db, async (client) => {
    await lockAndCheckLimits(client, user.id, aal)
    await insertFactor(client, {
      id,
      userId: user.id,
      name,
      type: enrolment.factor_type,
      secret: secret && context.factorCipher.encrypt(id, secret),
      phone,
    })
  })
  return json(200, {
    id,
    type: enrolment.factor_type,
    friendly_name: name ?? '',
    ...(secret === null ? {} : { totp: totpJson(context, user, enrolment, secret) }),
    ...(phone === null ? {} : { phone }),
  })
}

/**
 * Locks the user, deletes old unverified factors, and throws if the user may not enrol a factor. Because of the lock, parallel
 * enrolments run one after another.
 */
async function lockAndCheckLimits(db: pg.PoolClient, userId: string, aal: string): Promise<void> {
  await db.query('select from auth.users where id = $1 for no key update', [userId])
  await db.query(
    `delete from auth.mfa_factors where user_id = $1 and status = 'unverified' and created_at < now() - make_interval(secs => $2)`,
    [userId, unverifiedLifeSeconds],
  )
  const factors = (await listFactors(db, userId)).filter(({ factor_type }) => factor_type !== 'recovery_code')
  if (aal !== 'aal2' && factors.some(({ status }) => status === 'verified')) {
    throw insufficientLevel(403, 'AAL2 required to enroll a new factor')
  }
  if (factors.length >= maxFactors) throw refusal('too_many_enrolled_mfa_factors')
}

interface NewFactor {
  id: string
  userId: string
  name: string | null
  type: string
  secret: string | null
  phone: string | null
}

async function insertFactor(db: pg.PoolClient, { id, userId, name, type, secret, phone }: NewFactor): Promise<void> {
  try {
    await db.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, phone)
       values ($1, $2, $3, $4, 'unverified', now(), now(), $5, $6)`,
      [id, userId, name, type, secret, phone],
    )
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error
    throw refusal('mfa_factor_name_conflict')
  }
}

/**
 * Returns the phone number in E.164 format. In `given`, the plus sign and separators such as spaces are optional. Throws
 * validation_failed if `given` is not a phone number.
 */
function readPhone(given: string | null | undefined): string {
  const digits = (given ?? '').replaceAll(/[\s().-]/g, '').replace(/^\+/, '')
  if (!/^[1-9]\d{6,14}$/.test(digits)) {
    throw refusal('validation_failed', { message: 'Invalid phone number format (E.164 required)' })
  }
  return `+${digits}`
}

function totpJson({ siteUrl }: AuthContext, user: UserRow, { issuer }: EnrolmentInput, secret: string) {
  const uri = keyUri({ issuer: issuer || new URL(siteUrl).host, account: user.email ?? user.id, secret })
  return { qr_code: qrCodeSvg(uri), secret, uri }
}

/**
 * Returns the QR code as SVG. The SVG contains no # and no %, because the client puts it into a data URL, and it has a
 * white background for dark pages.
 */
function qrCodeSvg(uri: string): string {
  const svg = encodeQR(uri, 'svg', { ecc: 'medium', border: 2 })
  const size = /viewBox="0 0 (\d+) /.exec(svg)?.[1] ?? '100'
  return svg.replace('<path', `<rect width="${size}" height="${size}" fill="white"/><path`).replaceAll('\n', '')
}
