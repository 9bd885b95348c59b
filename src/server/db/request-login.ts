import type { Pool } from 'pg'

/** The roles that a request may take on, as Supabase names them; the platform's SQL makes them. */
const callerRoles = ['anon', 'authenticated', 'service_role']

/**
 * Makes the role that requests log in with, or brings it up to date. It inherits nothing and has no rights: a request
 * whose context was forgotten can do nothing. `password` null: the way in is the operating system's word (`peer`).
 */
export async function ensureRequestLogin(owner: Pool, role: string, password: string | null): Promise<void> {
  const { rows } = await owner.query<{ exists: boolean; member: string[] }>(
    `select exists (select from pg_roles where rolname = $1) as exists,
            array(select rolname::text from pg_roles where rolname = any($2)) as member`,
    [role, callerRoles],
  )
  const { exists, member } = rows[0] as { exists: boolean; member: string[] }
  const login = password === null ? 'login noinherit' : `login noinherit password ${literal(password)}`
  await owner.query(`${exists ? 'alter' : 'create'} role ${role} ${login}`)
  if (member.length > 0) await owner.query(`grant ${member.join(', ')} to ${role}`)
  for (const [name, value] of Object.entries(sessionSettings))
    await owner.query(`alter role ${role} set ${name} = ${value}`)
  // Linux and macOS; elsewhere PostgreSQL refuses the value, and a statement whose caller is gone runs to its time-out.
  await owner.query(`alter role ${role} set client_connection_check_interval = '1s'`).catch(() => {})
  // What a statement may write to disk for sorting; only a superuser may say so.
  await owner.query(`alter role ${role} set temp_file_limit = '1GB'`).catch(() => {})
}

const sessionSettings = {
  search_path: 'public, extensions',
  // Safety nets: each request sets its own statement_timeout.
  statement_timeout: "'15s'",
  lock_timeout: "'4s'",
  idle_in_transaction_session_timeout: "'10s'",
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
