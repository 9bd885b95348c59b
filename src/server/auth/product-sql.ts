import type { Querier } from './users.ts'

/**
 * Calls a function of the product's SQL that decides about accounts, if it exists: this server does not know who is
 * invited, or why. Undefined without the function.
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

/** Whether this address may sign up while sign-up is restricted. */
export async function maySignUp(db: Querier, email: string): Promise<boolean> {
  const answer = await ask<boolean>(db, 'private.may_sign_up(text)', 'select private.may_sign_up($1) as answer', email)
  return answer === true
}

/** Whether anybody who has an invitation's handed-over link may sign up with this address while sign-up is restricted. */
export async function maySignUpByLink(db: Querier, email: string, token: string): Promise<boolean> {
  const statement = 'select private.may_sign_up_by_link($1, $2) as answer'
  return (await ask<boolean>(db, 'private.may_sign_up_by_link(text,text)', statement, email, token)) === true
}

/** What an invitation's handed-over link offers, or why it does not work; null without such links. */
export async function readInvitationLink(db: Querier, token: string): Promise<{ state: string } | null> {
  const statement = 'select private.read_invitation_link($1) as answer'
  return (await ask<{ state: string }>(db, 'private.read_invitation_link(text)', statement, token)) ?? null
}

/** The invited e-mail address, which opening the link confirms; null if the invitation does not exist any more. */
export async function addressOfInvite(db: Querier, id: string): Promise<string | null> {
  const statement = 'select private.address_of_invite($1) as answer'
  return (await ask<string>(db, 'private.address_of_invite(uuid)', statement, id)) ?? null
}

/**
 * Accepts one invitation for this user. Returns what the user has joined (the id), null if the invitation is not
 * available, undefined if the product accepts invitations when an address is confirmed.
 */
export async function takeInvite(db: Querier, id: string, userId: string): Promise<string | null | undefined> {
  const statement = 'select private.take_invite($1, $2) as answer'
  return ask<string>(db, 'private.take_invite(uuid,uuid)', statement, id, userId)
}

/**
 * Sessions of this user were ended on purpose, not by a plain sign-out: these, or all. What they have made beside themselves may end, too.
 */
export async function noteSessionsEnded(db: Querier, userId: string, sessionIds?: readonly string[]): Promise<void> {
  const signature = 'private.on_sessions_ended(uuid,uuid)'
  if (!sessionIds) await ask(db, signature, 'select private.on_sessions_ended($1) as answer', userId)
  else if (sessionIds.length > 0)
    await ask(
      db,
      signature,
      'select private.on_sessions_ended($1, s.id) as answer from unnest($2::uuid[]) s (id)',
      userId,
      sessionIds,
    )
}
