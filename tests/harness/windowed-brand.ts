import { expect, vi } from 'vitest'
import { type Acme, dataOf, openOnNewDevice, openAcme } from './acme.ts'
import { query } from './query.ts'
import type { TestServer } from './server.ts'

/** The numbers of rows that `openWindowedBrand` creates. */
export const windowedRows = { deals: 20_100, tasks: 20_200, companies: 10_200 }

/**
 * Creates a brand with more deals, tasks and companies than a device stores, and opens it on a new device. Ana owns every third record. One
 * contact has 150 deals. Every second task is done.
 */
export async function openWindowedBrand(server: TestServer): Promise<{ acme: Acme; contactId: string }> {
  const acme = await openAcme(server)
  const [contact] = await query<{ id: string }>(
    server,
    `insert into contacts (brand_id, email) values ($1, 'zoe@acme.test') returning id`,
    acme.brandId,
  )
  const contactId = contact?.id ?? ''
  // Without triggers this takes only a second. The triggers are not needed, because the new device pulls everything from the beginning.
  await setTriggers(server, 'disable')
  await query(
    server,
    `insert into deals (brand_id, name, amount, amount_currency, stage_id, owner_id, contact_id, created_at, expected_close_date)
     select $1, 'Deal ' || n, case n % 5 when 0 then n else n + 0.1 end, (array['JPY', 'GBP', 'EUR', 'GBP', 'GBP'])[n % 5 + 1],
       (select s.id from deal_stages s where s.brand_id = $1 order by s.position offset n % 6 limit 1),
       case when n % 3 = 0 then $2::uuid end, case when n > $4 - 150 then $3::uuid end, now() - n * interval '1 second',
       case when n % 7 = 0 then current_date + 30000 - n end
     from generate_series(1, $4::int) n`,
    acme.brandId,
    acme.userId,
    contactId,
    windowedRows.deals,
  )
  await query(
    server,
    `insert into tasks (brand_id, title, due_at, status, completed_at, assignee_id)
     select $1, 'Task ' || n, case when n % 5 > 0 then now() + (20000 - n) * interval '1 minute' end,
       case when n % 2 = 0 then 'open' else 'done' end, case when n % 2 = 1 then now() - (30000 - n) * interval '1 minute' end,
       case when n % 3 = 0 then $2::uuid end
     from generate_series(1, $3::int) n`,
    acme.brandId,
    acme.userId,
    windowedRows.tasks,
  )
  await query(
    server,
    `insert into companies (brand_id, name, owner_id, created_at)
     select $1, 'Company ' || lpad((n * 7919 % 10007)::text, 5, '0') || ' ' || n, case when n % 3 = 0 then $2::uuid end,
       now() - n * interval '1 second'
     from generate_series(1, $3::int) n`,
    acme.brandId,
    acme.userId,
    windowedRows.companies,
  )
  await setTriggers(server, 'enable')
  await query(server, 'select private.write_all_words(), private.count_all_figures()')
  const onDevice = await openOnNewDevice(server, acme)
  const windowedState = { mode: 'windowed', complete: false }
  await vi.waitFor(
    () =>
      expect(dataOf(onDevice.tab).state.get().tables).toMatchObject({
        deals: windowedState,
        tasks: windowedState,
        companies: windowedState,
      }),
    10_000,
  )
  return { acme: onDevice, contactId }
}

/** Returns the number of rows that a SELECT returns. Its `$1` is the id of the brand. */
export async function countOf(server: TestServer, sql: string, brandId: string): Promise<number> {
  const [row] = await query<{ count: number }>(server, `select count(*)::int as count from (${sql}) as listed`, brandId)
  return row?.count ?? 0
}

async function setTriggers(server: TestServer, verb: 'enable' | 'disable'): Promise<void> {
  for (const table of ['deals', 'tasks', 'companies']) {
    await query(server, `alter table ${table} ${verb} trigger user`)
  }
}
