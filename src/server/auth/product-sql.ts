import type { Querier } from './users.ts'

/**
 * Runs `statement`, which calls a function of the product's SQL (supabase/migrations), and returns the result of the function.
 * Returns undefined if no function has this `signature`: this server also runs without the product's SQL. What belongs to the
 * CRM, such as who is invited, is decided in the product's SQL and not in this server.
 */
async function callIfExists<T>(
  db: Querier,
  signature: string,
  statement: string,
  ...values: unknown[]
): Promise<T | null | undefined> {
  const { rows: functionRows } = await db.query<{ found: string | null }>('select to_regprocedure($1) as found', [
    signature,
  ])
  if (!functionRows[0]?.found) return undefined
  const { rows } = await db.query<{ answer: T | null }>(statement, values)
  return rows[0]?.answer ?? null
}

/**
 * Whether a person with this e-mail address may sign up, without an invitation link, while `SIGN_UP` is `invited`. False if
 * the product has no invitations.
 */
export async function maySignUp(db: Querier, email: string): Promise<boolean> {
  const answer = await callIfExists<boolean>(
    db,
    'private.may_sign_up(text)',
    'select private.may_sign_up($1) as answer',
    email,
  )
  return answer === true
}

/**
 * Whether a person with the token of this invitation link may sign up with this e-mail address while `SIGN_UP` is
 * `invited`.
 */
export async function maySignUpByLink(db: Querier, email: string, token: string): Promise<boolean> {
  const statement = 'select private.may_sign_up_by_link($1, $2) as answer'
  return (await callIfExists<boolean>(db, 'private.may_sign_up_by_link(text,text)', statement, email, token)) === true
}

/**
 * Returns what an invitation offers (the group that the person would join, the role, the inviter, the e-mail address), or the
 * reason why its link does not work (`state`). `token` is the token of the link. Returns null if the product has no invitation
 * links.
 */
export async function readInvitationLink(db: Querier, token: string): Promise<{ state: string } | null> {
  const statement = 'select private.read_invitation_link($1) as answer'
  return (await callIfExists<{ state: string }>(db, 'private.read_invitation_link(text)', statement, token)) ?? null
}

/**
 * Returns the e-mail address that an invitation was sent to. Returns null if the invitation was accepted or has ended, or if the
 * product has no invitations.
 */
export async function invitedEmail(db: Querier, id: string): Promise<string | null> {
  const statement = 'select private.address_of_invite($1) as answer'
  return (await callIfExists<string>(db, 'private.address_of_invite(uuid)', statement, id)) ?? null
}

/**
 * Accepts an invitation for this user. Returns the id of the group that the user has joined (the product's SQL defines groups).
 * Returns null if the invitation has ended or is for another e-mail address, and undefined if the product's SQL has no such
 * function.
 */
export async function acceptInvitation(db: Querier, id: string, userId: string): Promise<string | null | undefined> {
  const statement = 'select private.take_invite($1, $2) as answer'
  return callIfExists<string>(db, 'private.take_invite(uuid,uuid)', statement, id, userId)
}

/**
 * Reports to the product's SQL that these sessions of the user (default: all) were ended for security reasons. A sign-out of
 * all other sessions is also reported as all. An ordinary sign-out, which ends only its own session, is not reported. The
 * product may then end what these sessions have created, such as calendar feeds.
 */
export async function reportSessionsEnded(db: Querier, userId: string, sessionIds?: readonly string[]): Promise<void> {
  const signature = 'private.on_sessions_ended(uuid,uuid)'
  if (!sessionIds) await callIfExists(db, signature, 'select private.on_sessions_ended($1) as answer', userId)
  else if (sessionIds.length > 0)
    await callIfExists(
      db,
      signature,
      'select private.on_sessions_ended($1, s.id) as answer from unnest($2::uuid[]) s (id)',
      userId,
      sessionIds,
    )
}
