import type { Querier } from './users.ts'

export interface NewUser {
  email: string
  /** The hash of the user's password. Null: the password is set later. */
  hash: string | null
  /** The user's metadata. */
  data: Record<string, unknown>
}

/**
 * Inserts a user with an unconfirmed e-mail address and returns the user's id. Returns null if a user has this address
 * already, for example because another request was first.
 */
export async function insertUser(db: Querier, { email, hash, data }: NewUser): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>({
    name: 'auth-user-insert',
    text: `
      insert into auth.users (instance_id, id, aud, role, email, encrypted_password, raw_app_meta_data,
        raw_user_meta_data, created_at, updated_at)
      values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated', $1, $2,
        '{"provider":"email","providers":["email"]}', $3, now(), now())
      on conflict do nothing
      returning id`,
    values: [email, hash, JSON.stringify(data)],
  })
  return rows[0]?.id ?? null
}

/**
 * Inserts or updates the identity of a user who signs in with e-mail address and password. `isConfirmed`: whether the address
 * is confirmed.
 */
export async function upsertIdentity(db: Querier, userId: string, email: string, isConfirmed: boolean): Promise<void> {
  const identityData = { sub: userId, email, email_verified: isConfirmed, phone_verified: false }
  await db.query({
    name: 'auth-identity-insert',
    text: `
      insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
      values (gen_random_uuid(), $1::text, $1::uuid, $2, 'email', now(), now(), now())
      on conflict (provider_id, provider) do update set identity_data = excluded.identity_data, updated_at = now()`,
    values: [userId, JSON.stringify(identityData)],
  })
}
