import ws from 'ws'
import type { SupabaseClient } from '@supabase/supabase-js'
import { signUpPerson } from '../client.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { query } from '../query.ts'
import { startTestServer, type TestServer } from '../server.ts'

/** A person whose session is stored in a device, as if they had signed in there. */
export interface SimPerson {
  id: string
  email: string
  client: SupabaseClient
  /** The session, as the official client stores it. */
  session: string
}

/** A real server with its database, for many lives (random sequences of events). Each life has its own brand. */
export interface SimWorld {
  server: TestServer
  ana: SimPerson
  bo: SimPerson
  /** The maximum numbers of rows of complete tables, if they differ from the usual ones. */
  maxCompleteRows: Partial<Record<TableName, number>>
  /** The number of lives at whose end a device stored only a part of a table of `simTables`. */
  windowedLives: number
  stop(): Promise<void>
}

/** A row of the log in which the database records changes for the simulation. */
export interface LoggedChange {
  operation: 'INSERT' | 'UPDATE' | 'DELETE'
  id: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** The tables whose changes are logged and compared. Changes of notes are logged, too. */
export const simTables = ['deals', 'contacts', 'companies', 'tasks'] as const
export type SimTable = (typeof simTables)[number]

/** Starts the server and signs up both people. `maxCompleteRows`: lower numbers make the devices store only a part of a brand. */
export async function startWorld(maxCompleteRows: SimWorld['maxCompleteRows'] = {}): Promise<SimWorld> {
  const server = await startTestServer()
  // The official client needs a WebSocket class, although no device of the simulation opens a socket.
  Object.assign(globalThis, { WebSocket: ws })
  // Loads the module now: otherwise the first life would wait for it.
  await import('#web/data/server/client.ts')
  await logChanges(server)
  const [ana, bo] = await Promise.all([signUp(server, 'ana'), signUp(server, 'bo')])
  return { server, ana, bo, maxCompleteRows, windowedLives: 0, stop: () => server.stop() }
}

/** Creates a brand of Ana, with Bo as a member, a second pipeline and some records. Returns its id. */
export async function newBrand({ server, ana, bo }: SimWorld): Promise<string> {
  const id = crypto.randomUUID()
  const { error } = await ana.client.from('brands').insert({ id, name: `Acme ${id}`, slug: id })
  if (error) throw new Error(error.message)
  // Deals move between two pipelines.
  await query(
    server,
    `with partners as (insert into public.pipelines (brand_id, name, created_by) values ($1, 'Partners', $2) returning id)
     insert into public.deal_stages (brand_id, pipeline_id, name, created_by)
     select $1, id, name, $2 from partners, unnest(array['Talks', 'Won', 'Lost']) name`,
    id,
    ana.id,
  )
  const values = [id, bo.id, ana.id]
  await query(
    server,
    `with bo as (
       insert into public.memberships (brand_id, user_id, role, display_name, opened_at)
       values ($1, $2, 'member', 'Bo', now())),
     slate as (
       insert into public.companies (brand_id, name, created_by) values ($1, 'Slate', $3) returning id),
     owen as (
       insert into public.contacts (brand_id, email, first_name, company_id, created_by)
       select $1, 'owen@acme.test', 'Owen', id, $3 from slate returning id, company_id),
     roof as (
       insert into public.deals (brand_id, name, amount, stage_id, contact_id, company_id, created_by)
       select $1, 'Roof', 100, stage.id, owen.id, owen.company_id, $3
       from owen, (select id from public.deal_stages where brand_id = $1 order by position, id limit 2) stage
       returning id)
     insert into public.tasks (brand_id, title, contact_id, created_by) select $1, 'Call', id, $3 from owen`,
    ...values,
  )
  return id
}

/** Returns the changes of a brand's rows, in order. */
export function changesOf({ server }: SimWorld, brandId: string): Promise<LoggedChange[]> {
  const sql = 'select operation, id, before, after from private.sim_changes where brand_id = $1 order by number'
  return query<LoggedChange>(server, sql, brandId)
}

/** Begins a new epoch: each device then pulls everything from the beginning. */
export async function beginEpoch({ server }: SimWorld): Promise<void> {
  await server.database?.owner.query('select private.raise_epoch()')
}

/**
 * Begins a transaction that writes nothing. Until it ends, each pull returns all changes since the beginning of the transaction again. Returns the
 * function that ends it.
 */
export async function beginTransaction({ server }: SimWorld): Promise<() => Promise<void>> {
  const connection = await server.database?.owner.connect()
  await connection?.query('begin')
  await connection?.query('select pg_current_xact_id()')
  return async () => {
    await connection?.query('rollback')
    connection?.release()
  }
}

async function signUp(server: TestServer, name: string): Promise<SimPerson> {
  const { client, user, session } = await signUpPerson(server, `${name}-${Date.now()}@acme.test`)
  return { id: user.id, email: user.email ?? '', client, session: JSON.stringify(session) }
}

async function logChanges(server: TestServer): Promise<void> {
  const triggers = [...simTables, 'notes'].map(
    (table) =>
      `create trigger sim_log after insert or update or delete on public.${table} for each row execute function private.sim_log();`,
  )
  await server.database?.owner.query(`
    create table private.sim_changes (
      number bigint generated always as identity, brand_id uuid, operation text, id uuid, before jsonb, after jsonb);
    create index on private.sim_changes (brand_id);
    create function private.sim_log() returns trigger language plpgsql security definer set search_path = '' as $$
    begin
      insert into private.sim_changes (brand_id, operation, id, before, after)
      values (coalesce(new.brand_id, old.brand_id), tg_op, coalesce(new.id, old.id), to_jsonb(old), to_jsonb(new));
      return null;
    end $$;
    ${triggers.join('\n')}`)
}
