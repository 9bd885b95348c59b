import type { Querier } from './users.ts'

/**
 * Marks a user's e-mail address as confirmed. If the address was not confirmed before, also stores `passwordHash` and
 * returns true; otherwise returns false. `passwordHash` is the hash of the password that was chosen at the sign-up (null:
 * the stored hash stays).
 */
export async function confirmUser(db: Querier, userId: string, passwordHash: string | null = null): Promise<boolean> {
  const { rows } = await db.query<{ is_new: boolean }>(
    `with before as (select email_confirmed_at is null as is_new from auth.users where id = $1)
     update auth.users set encrypted_password = case when email_confirmed_at is null then coalesce($2, encrypted_password)
         else encrypted_password end,
       email_confirmed_at = coalesce(email_confirmed_at, now()), updated_at = now()
     where id = $1 returning (select is_new from before)`,
    [userId, passwordHash],
  )
  await db.query(
    `update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = now()
     where user_id = $1 and provider = 'email'`,
    [userId],
  )
  return rows[0]?.is_new ?? false
}

/**
 * Confirms the e-mail address of a user whose account another person may have created. Deletes the password and all sessions,
 * so that the other person has no access. Returns whether the address was unconfirmed before.
 */
export async function confirmUserAndResetAccess(db: Querier, userId: string): Promise<boolean> {
  await db.query('update auth.users set encrypted_password = null where id = $1', [userId])
  await db.query('delete from auth.sessions where user_id = $1', [userId])
  return confirmUser(db, userId)
}
