import type pg from 'pg'

/** The columns of auth.users that this server reads. */
export interface UserRow {
  id: string
  email: string | null
  encrypted_password: string | null
  email_confirmed_at: Date | null
  confirmation_sent_at: Date | null
  invited_at: Date | null
  /** The requested new e-mail address, until both addresses are confirmed. */
  email_change: string | null
  email_change_sent_at: Date | null
  /** Which address has confirmed the change. 0: no address yet; 1: the current address; 2: the new address. */
  email_change_confirm_status: number | null
  last_sign_in_at: Date | null
  banned_until: Date | null
  raw_app_meta_data: Record<string, unknown> | null
  raw_user_meta_data: Record<string, unknown> | null
  created_at: Date
  updated_at: Date
  identities: Identity[]
  factors: FactorJson[]
}

/** A second factor as the API returns it, without secrets. */
interface FactorJson {
  id: string
  created_at: string
  updated_at: string
  status: 'unverified' | 'verified'
  friendly_name?: string
  factor_type: string
}

interface Identity {
  id: string
  user_id: string
  identity_data: Record<string, unknown>
  provider: string
  last_sign_in_at: string | null
  created_at: string
  updated_at: string
}

/** What can run a query: a pool, or the connection of a transaction. */
export type Querier = Pick<pg.ClientBase, 'query'>

/** The columns of UserRow, from auth.users with the alias `u`. */
export const userColumns = `u.id, u.email, nullif(u.encrypted_password, '') as encrypted_password, u.email_confirmed_at,
  u.confirmation_sent_at, u.invited_at, nullif(u.email_change, '') as email_change, u.email_change_sent_at,
  u.email_change_confirm_status, u.last_sign_in_at, u.banned_until, u.raw_app_meta_data, u.raw_user_meta_data,
  u.created_at, u.updated_at,
  coalesce((
    select json_agg(json_build_object(
      'id', i.id, 'user_id', i.user_id, 'identity_data', i.identity_data, 'provider', i.provider,
      'last_sign_in_at', i.last_sign_in_at, 'created_at', i.created_at, 'updated_at', i.updated_at) order by i.created_at)
    from auth.identities i where i.user_id = u.id
  ), '[]') as identities,
  coalesce((
    select json_agg(json_strip_nulls(json_build_object(
      'id', f.id, 'created_at', f.created_at, 'updated_at', f.updated_at, 'status', f.status,
      'friendly_name', f.friendly_name, 'factor_type', f.factor_type)) order by f.created_at)
    from auth.mfa_factors f where f.user_id = u.id
  ), '[]') as factors`

/** Returns the user with this e-mail address, or null. `email` must be in lower case. Skips SSO users and deleted users. */
export async function findUserByEmail(db: Querier, email: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>({
    name: 'auth-user-by-email',
    text: `select ${userColumns} from auth.users u where u.email = $1 and not u.is_sso_user and u.deleted_at is null`,
    values: [email],
  })
  return rows[0] ?? null
}

/** Returns the user with this id, or null if the user does not exist or is marked as deleted. */
export async function findUser(db: Querier, id: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>({
    name: 'auth-user',
    text: `select ${userColumns} from auth.users u where u.id = $1 and u.deleted_at is null`,
    values: [id],
  })
  return rows[0] ?? null
}

/**
 * Returns the user in the format of the API (docs/supabase-protocol.md, section 2), without secrets. `factors` is undefined
 * if the user has none.
 */
export function userJson(user: UserRow) {
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email ?? '',
    email_confirmed_at: user.email_confirmed_at ?? undefined,
    phone: '',
    confirmation_sent_at: user.confirmation_sent_at ?? undefined,
    new_email: user.email_change ?? undefined,
    email_change_sent_at: user.email_change ? (user.email_change_sent_at ?? undefined) : undefined,
    confirmed_at: user.email_confirmed_at ?? undefined,
    last_sign_in_at: user.last_sign_in_at ?? undefined,
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    identities: user.identities.map((identity) => ({
      identity_id: identity.id,
      id: identity.user_id,
      user_id: identity.user_id,
      identity_data: identity.identity_data,
      provider: identity.provider,
      last_sign_in_at: identity.last_sign_in_at && new Date(identity.last_sign_in_at),
      created_at: new Date(identity.created_at),
      updated_at: new Date(identity.updated_at),
      email: identity.identity_data.email,
    })),
    factors: user.factors.length > 0 ? user.factors : undefined,
    created_at: user.created_at,
    updated_at: user.updated_at,
    is_anonymous: false,
  }
}
