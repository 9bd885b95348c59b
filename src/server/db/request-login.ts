import type { ClientBase, Pool } from 'pg'

/** The roles that a request may run as, with Supabase's names. The platform's SQL creates them. */
const callerRoles = ['anon', 'authenticated', 'service_role']

/**
 * Creates or updates the login role for requests. It inherits nothing and has no rights, so a request that sets no caller
 * can do nothing. With `password` null, the operating system identifies the user (`peer`). Call it under the migration lock:
 * PostgreSQL refuses concurrent changes of a role ("tuple concurrently updated"). If the owner role may not grant the caller
 * roles, throws an error that says what to do.
 */
export async function ensureRequestLogin(
  owner: Pool | ClientBase,
  role: string,
  password: string | null,
): Promise<void> {
  const { rows } = await owner.query<{ exists: boolean; member: string[] }>(
    `select exists (select from pg_roles where rolname = $1) as exists,
            array(select rolname::text from pg_roles where rolname = any($2)) as member`,
    [role, callerRoles],
  )
  const { exists, member: grantedRoles } = rows[0] as { exists: boolean; member: string[] }
  const login = password === null ? 'login noinherit' : `login noinherit password ${quoteLiteral(password)}`
  await owner.query(`${exists ? 'alter' : 'create'} role ${role} ${login}`)
  if (grantedRoles.length > 0) await grantRoles(owner, grantedRoles.join(', '), role)
  for (const [name, value] of Object.entries(sessionSettings))
    await owner.query(`alter role ${role} set ${name} = ${value}`)
  // PostgreSQL refuses this value on systems other than Linux, macOS, BSD and illumos. There, the statement of a disconnected
  // client runs until its timeout.
  await owner.query(`alter role ${role} set client_connection_check_interval = '1s'`).catch(() => {})
  // The limit on temporary files, for example of a sort. Only a superuser may set this limit, so an error is ignored.
  await owner.query(`alter role ${role} set temp_file_limit = '1GB'`).catch(() => {})
}

/**
 * Throws an error that says what to do if the owner role may not create roles, or may not grant those caller roles that exist. Call
 * it before the migrations, so that a start that must fail leaves an external database empty.
 */
export async function assertMayManageRoles(owner: Pool, majorVersion: number): Promise<void> {
  const { rows } = await owner.query<{ name: string; may_create: boolean; not_grantable: string[] }>(
    `select quote_ident(rolname) as name, rolsuper or rolcreaterole as may_create,
            array(select r.rolname::text from pg_roles r
                  where r.rolname = any($1) and not pg_has_role(current_user, r.oid, 'member with admin option')) as not_grantable
     from pg_roles where rolname = current_user`,
    [callerRoles],
  )
  const { name, may_create, not_grantable } = rows[0] as (typeof rows)[number]
  if (!may_create)
    throw new Error(`the role of DATABASE_URL may not create roles. As a superuser, run: alter role ${name} createrole`)
  if (majorVersion >= firstVersionWithAdminOption && not_grantable.length > 0)
    throw mayNotGrantError(not_grantable.join(', '), name)
}

/**
 * Since this major version, only the role that created a role, and roles with the admin option, may grant it. Before, every role with
 * `createrole` may.
 */
const firstVersionWithAdminOption = 16

/**
 * Grants the caller roles to the login role. This fails if another installation in the same PostgreSQL, with another owner role,
 * created them (`firstVersionWithAdminOption`).
 */
async function grantRoles(owner: Pool | ClientBase, roles: string, login: string): Promise<void> {
  try {
    await owner.query(`grant ${roles} to ${login}`)
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    const { rows } = await owner.query<{ name: string }>('select quote_ident(current_user) as name')
    throw mayNotGrantError(roles, rows[0]?.name ?? '', error)
  }
}

function mayNotGrantError(roles: string, ownerName: string, cause?: unknown): Error {
  return new Error(
    `the role of DATABASE_URL may not grant the roles ${roles}, which another installation in this PostgreSQL has created. As a superuser, run: grant ${roles} to ${ownerName} with admin option`,
    { cause },
  )
}

const sessionSettings = {
  search_path: 'public, extensions',
  // Limits for a statement that is sent without limits of its own. Requests set their own statement_timeout.
  statement_timeout: "'15s'",
  lock_timeout: "'4s'",
  idle_in_transaction_session_timeout: "'10s'",
}

function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
