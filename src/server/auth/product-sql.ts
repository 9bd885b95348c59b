import type { Querier } from './users.ts'

/**
 * What the product's SQL decides about accounts, where it has the function: this server knows neither who was asked to come
 * nor why.
 */
async function ask<T>(db: Querier, signature: string, statement: string, value: unknown): Promise<T | null> {
  const { rows: found } = await db.query<{ found: string | null }>('select to_regprocedure($1) as found', [signature])
  if (!found[0]?.found) return null
  const { rows } = await db.query<{ answer: T | null }>(statement, [value])
  return rows[0]?.answer ?? null
}

/** Whether this address may sign up where not everybody may. */
export async function maySignUp(db: Querier, email: string): Promise<boolean> {
  const answer = await ask<boolean>(db, 'private.may_sign_up(text)', 'select private.may_sign_up($1) as answer', email)
  return answer === true
}

/** The address that an invite's link proves; null where it is nobody's any more. */
export async function addressOfInvite(db: Querier, id: string): Promise<string | null> {
  return ask<string>(db, 'private.address_of_invite(uuid)', 'select private.address_of_invite($1) as answer', id)
}
