import { recordEvent } from '#server/auth/audit.ts'
import { authenticate } from '#server/auth/authenticate.ts'
import type { AuthHandler } from '#server/auth/context.ts'
import { inTransaction } from '#server/auth/transaction.ts'
import type { Querier } from '#server/auth/users.ts'
import { json } from '#server/http/exchange.ts'
import { findFactor } from './factor.ts'
import { factorIdOf } from './factor-path.ts'
import { insufficientLevel } from './refusals.ts'

/** DELETE /factors/:id: deletes a factor. If the factor is active, the session must have verified a factor. */
export const unenrollFactor: AuthHandler = async (context, request) => {
  const { user, sessionId, aal } = await authenticate(context, request)
  const factor = await findFactor(context.db, user.id, factorIdOf(request))
  if (factor.status === 'verified' && aal !== 'aal2') {
    throw insufficientLevel(422, 'AAL2 required to unenroll verified factor')
  }
  await inTransaction(context.db, async (client) => {
    await removeFactors(client, user.id, [factor.id])
    if (factor.status !== 'verified') return
    const name = factor.friendly_name ?? ''
    await context.mail.queue(client, { template: 'factor-removed', recipient: user.email ?? '', data: { name } })
    await recordEvent(client, request, {
      action: 'factor_deleted',
      user,
      sessionId,
      traits: { factor_type: factor.factor_type, name },
    })
  })
  return json(200, { id: factor.id })
}

/**
 * Deletes factors. Recovery codes are deleted together with the last active factor, because they must never be the only
 * factor. Sessions that were verified with a deleted factor return to aal1. Call it inside a transaction.
 */
export async function removeFactors(db: Querier, userId: string, ids: readonly string[]): Promise<void> {
  await db.query('select from auth.users where id = $1 for no key update', [userId])
  const { rows } = await db.query<{ id: string }>(
    `delete from auth.mfa_factors f where f.user_id = $1 and (f.id = any ($2) or f.factor_type = 'recovery_code' and not exists (
       select from auth.mfa_factors o
       where o.user_id = $1 and o.id <> all ($2) and o.status = 'verified' and o.factor_type <> 'recovery_code'))
     returning f.id`,
    [userId, ids],
  )
  const deleted = rows.map(({ id }) => id)
  await db.query(
    `with lowered as (
       update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now()
       where user_id = $1 and factor_id = any ($2::uuid[]) returning id
     )
     delete from auth.mfa_amr_claims
     where session_id in (select id from lowered) and (authentication_method = 'totp' or authentication_method like 'mfa/%')`,
    [userId, deleted],
  )
}
