import type { Querier } from './users.ts'

/**
 * What the product's SQL decides about accounts, where it has the function: this server knows neither who was asked to come
 * nor why. Undefined: it has not.
 */
async function ask<T>(
  db: Querier,
  signature: string,
  statement: string,
  ...values: unknown[]
): Promise<T | null | undefined> {
  const { rows: found } = await db.query<{ found: string | null }>('select to_regprocedure($1) as found', [signature])
  if (!found[0]?.found) return undefined
  const { rows } = await db.query<{ answer: T | null }>(statement, values)
  return rows[0]?.answer ?? null
}

/** Whether this address may sign up where not everybody may. */
export async function maySignUp(db: Querier, email: string): Promise<boolean> {
  const answer = await ask<boolean>(db, 'private.may_sign_up(text)', 'select private.may_sign_up($1) as answer', email)
  return answer === true
}

/** The address that an invite's link proves; null where it is nobody's any more. */
export async function addressOfInvite(db: Querier, id: string): Promise<string | null> {
  const statement = 'select private.address_of_invite($1) as answer'
  return (await ask<string>(db, 'private.address_of_invite(uuid)', statement, id)) ?? null
}

/**
 * Lets this user take that one invitation; answers what they have come into by it, null where it was not to be had, undefined
 * where the product takes invitations by itself as soon as an address is confirmed.
 */
export async function takeInvite(db: Querier, id: string, userId: string): Promise<string | null | undefined> {
  const statement = 'select private.take_invite($1, $2) as answer'
  return ask<string>(db, 'private.take_invite(uuid,uuid)', statement, id, userId)
}
