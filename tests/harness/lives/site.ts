import { hash } from '@node-rs/argon2'
import type { Pool } from 'pg'
import { type MailServer, startMailServer } from '#tests/harness/mail-server.ts'
import { startTestServer, type TestServer } from '#tests/harness/server.ts'
import { createApiClient, type ApiClient } from './api-client.ts'
import { poolOf } from '../pool-of.ts'

/**
 * How the server is configured. open: without a mail server, everybody may sign up. invited: without a mail server, an account is created
 * only by the link of an invitation. mailed: with a mail server, everybody may sign up, and a mailed link confirms the e-mail address.
 * Without a mail server, each e-mail address counts as confirmed.
 */
export type Mode = 'open' | 'invited' | 'mailed'

/** A running server and its database. */
export interface Site {
  mode: Mode
  server: TestServer
  api: ApiClient
  /** Connects as the owner role: creates people, reads sent mails, moves time. Never used to decide permissions. */
  sql: Pool
  /** The names of all tables and views of the API. */
  tables: readonly string[]
  /** The names of all functions of the API. */
  functions: ReadonlySet<string>
  stop(): Promise<void>
}

const environmentOfMode: Record<Mode, Record<string, string>> = {
  open: {},
  invited: { SIGN_UP: 'invited' },
  mailed: { EMAIL_CONFIRMATION: 'on' },
}

/** Everybody's password at the start of a life. */
export const firstPassword = 'correct horse'

/** Starts a server for each mode, in this process. Lives send real HTTP requests to it. */
export async function openSites(modes: readonly Mode[] = ['open', 'invited', 'mailed']): Promise<Record<Mode, Site>> {
  const sites = await Promise.all(modes.map(async (mode) => [mode, await openSite(mode)] as const))
  return Object.fromEntries(sites) as Record<Mode, Site>
}

async function openSite(mode: Mode): Promise<Site> {
  const mail: MailServer | null = mode === 'mailed' ? await startMailServer() : null
  const env = { ...environmentOfMode[mode], ...(mail ? { SMTP_URL: mail.url } : {}) }
  const server = await startTestServer({ env })
  const sql = poolOf(server.databaseUrl, 2)
  await sql.query(keepMailSql)
  await sql.query('create table lives.password (hash text)')
  await sql.query('insert into lives.password values ($1)', [await cheapHash(firstPassword)])
  const readNames = async (text: string) => (await sql.query<{ name: string }>(text)).rows.map(({ name }) => name)
  const api = createApiClient(server)
  return {
    mode,
    server,
    api,
    sql,
    tables: await readNames(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') order by 1`,
    ),
    functions: new Set(
      await readNames(`select proname as name from pg_proc where pronamespace = 'public'::regnamespace`),
    ),
    async stop() {
      api.close()
      await sql.end()
      await server.stop()
      await mail?.stop()
    },
  }
}

/** Keeps a copy of each mail for the life that reads it, because the server deletes sent mails from its outbox. */
const keepMailSql = `
  create schema lives;
  create table lives.mails (id bigint generated always as identity, recipient text not null, data jsonb not null);
  create function lives.keep() returns trigger language plpgsql security definer as $$
  begin
    insert into lives.mails (recipient, data) values (new.recipient, new.data);
    return null;
  end $$;
  create trigger keep after insert on private.mail_outbox for each row execute function lives.keep();`

/** Returns a hash with the cheapest parameters. A sign-in reads the parameters from the hash, so it takes only a millisecond. */
function cheapHash(password: string): Promise<string> {
  return hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
}
