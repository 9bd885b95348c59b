import { afterAll, beforeAll, expect, test } from 'vitest'
import { goOffline, goOnline, untilSent } from '../harness/acme.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { makeRecord, openTwoPeople, type TwoPeople, untilAllShow } from '../harness/two-people.ts'

let server: TestServer
let people: TwoPeople
beforeAll(async () => {
  server = await startTestServer()
  people = await openTwoPeople(server)
})
afterAll(async () => {
  people.bo.browser.close()
  people.ana.browser.close()
  await server.stop()
})

test('a tag that is added offline, and merged into another one meanwhile, gives the records the other tag', async () => {
  const { tab, brandId } = people.ana
  const insertTags = `insert into public.tags (brand_id, name) values ($1, 'VIP'), ($1, 'Partner'), ($1, 'Press') returning id`
  const tags = await query<{ id: string }>(server, insertTags, brandId)
  const [vip = '', partner = '', press = ''] = tags.map(({ id }) => id)
  const [first, second, third] = [
    await makeRecord(people, 'contacts'),
    await makeRecord(people, 'contacts'),
    await makeRecord(people, 'contacts'),
  ]
  await tab.requestPull(tab.device)
  goOffline(people.ana)
  const addVip = { add: [vip], remove: [] }
  const edit = { table: 'contacts', title: 'Tags', icon: 'tag', values: { tag_ids: addVip } } as const
  void tab.updateAll(tab.device, { ...edit, rowIds: [first, second] })
  // The second edit of the third contact begins with a set that the server will not have.
  void tab.updateRecord(tab.device, 'contacts', third, { tag_ids: [vip] })
  void tab.updateRecord(tab.device, 'contacts', third, { tag_ids: [vip, press].toSorted() })
  const merge = `with caller as materialized (select set_config('request.jwt.claims', '{"role": "service_role"}', true))
    select public.merge_tags($1, $2, $3) from caller`
  await query(server, merge, brandId, vip, partner)
  await goOnline(people.ana)
  await untilSent(tab)
  for (const id of [first, second]) await untilAllShow(people, 'contacts', id, { tag_ids: [partner] })
  await untilAllShow(people, 'contacts', third, { tag_ids: [partner, press].toSorted() })
  expect(tab.queue(tab.device).get().operations).toEqual([])
  expect(people.notices).toEqual([])
})
