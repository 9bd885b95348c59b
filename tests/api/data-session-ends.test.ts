import { expect, test, vi } from 'vitest'
import { dataOf, goOffline, makeDeal, stageOf, untilSent, waitOptions } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme, server } from '../harness/acme-scene.ts'
import { signUpPerson } from '../harness/client.ts'

/**
 * In these tests the session ends after a write, before the rows are read. Row-level security then returns no rows, without an error. The device
 * must not conclude that the rows were deleted.
 */
setUpAcme()

/**
 * Ends Ana's session between the first write of an operation and the next read of this table. Refuses pulls, so that the operation sends
 * the first request of the ended session.
 */
function endSessionAfterWrite(table: string): void {
  let isWritten = false
  let isEnded = false
  acme.browser.network.judge = async (url, { method = 'GET', headers }) => {
    if (url.includes('/rpc/pull')) return 'refuse'
    if (new Headers(headers).has('idempotency-key')) isWritten = true
    if (isWritten && !isEnded && method === 'GET' && url.includes(`/rest/v1/${table}?`)) {
      isEnded = true
      await inDatabase('delete from auth.sessions where user_id = $1', acme.userId)
    }
    return 'pass'
  }
}

const operations = () => acme.tab.queue(acme.tab.device).get().operations
const states = () => operations().map(({ state }) => state)

const untilEnded = () =>
  vi.waitFor(
    () => expect(acme.tab.sessionState(acme.tab.device).get().session).toMatchObject({ expired: true }),
    waitOptions,
  )

async function signInAgain(): Promise<void> {
  acme.browser.network.judge = () => 'pass'
  expect((await acme.tab.signIn(acme.tab.device, acme.email, 'correct horse')).ok).toBe(true)
  await untilSent(acme.tab)
}

test('if the session ends between an edit of the tags of many deals and the read of the deals, no deal is taken as deleted', async () => {
  const { tab } = acme
  const ids = [await makeDeal(tab), await makeDeal(tab)]
  const sql = `insert into public.tags (brand_id, name) values ($1, 'VIP') returning id`
  const [tag] = await inDatabase<{ id: string }>(sql, acme.brandId)
  const tagIds = [tag?.id ?? expect.fail('no tag')]
  endSessionAfterWrite('deals')
  const change = {
    table: 'deals',
    rowIds: ids,
    title: 'Tags',
    icon: 'tag',
    values: { tag_ids: { add: tagIds, remove: [] } },
  } as const
  void tab.updateAll(tab.device, change)
  await untilEnded()
  expect(states()).toEqual(['waiting'])
  expect(ids.map((id) => dataOf(tab).tables.deals.get(id)?.tag_ids)).toEqual([tagIds, tagIds])
  await signInAgain()
  expect(operations()).toEqual([])
  expect(ids.map((id) => dataOf(tab).tables.deals.serverRow(id)?.tag_ids)).toEqual([tagIds, tagIds])
})

test('if the session ends between the restore of deals and the read of them, the restore is not refused', async () => {
  const { tab } = acme
  const id = await makeDeal(tab)
  expect(await tab.deleteRecords(tab.device, 'deals', [id])).toMatchObject({ status: 'saved' })
  endSessionAfterWrite('deals')
  void tab.restoreRecords(tab.device, 'deals', [id])
  await untilEnded()
  expect(states()).toEqual(['waiting'])
  await signInAgain()
  expect(operations()).toEqual([])
  expect(dataOf(tab).tables.deals.serverRow(id)?.name).toBe('Data migration')
})

test('if the session ends while a delete is sent that the user may not do, the records do not stay deleted on this device', async () => {
  const { tab } = acme
  const sql = `insert into public.tags (brand_id, name) values ($1, 'VIP') returning id`
  const [tag] = await inDatabase<{ id: string }>(sql, acme.brandId)
  const id = tag?.id ?? expect.fail('no tag')
  await tab.requestPull(tab.device)
  goOffline(acme)
  void tab.deleteRecords(tab.device, 'tags', [id])
  const { user } = await signUpPerson(server, `bo-${acme.brandId}@acme.test`)
  const insertOwner = `insert into public.memberships (brand_id, user_id, role, display_name) values ($1, $2, 'owner', 'Bo')`
  await inDatabase(insertOwner, acme.brandId, user.id)
  const demoteMember = `update public.memberships set role = 'member' where brand_id = $1 and user_id = $2`
  await inDatabase(demoteMember, acme.brandId, acme.userId)
  endSessionAfterWrite('tags')
  acme.browser.network.offline = false
  tab.reachable(tab.device).set(true)
  await untilEnded()
  expect(states()).toEqual(['waiting'])
  await signInAgain()
  expect(operations()).toMatchObject([{ kind: 'delete', state: 'failed', code: '42501' }])
  expect(dataOf(tab).tables.tags.serverRow(id)?.name).toBe('VIP')
  await tab.discardOperation(tab.device, operations()[0]?.id ?? '')
})

test('if the session ends between an undo of many moves and the read of the skipped deals, no deal is taken as deleted', async () => {
  const { tab } = acme
  const ids = [await makeDeal(tab), await makeDeal(tab)]
  await tab.updateRecords(tab.device, 'deals', ids, { stage_id: stageOf(tab, 'Won').id })
  endSessionAfterWrite('deals')
  const { judge } = acme.browser.network
  acme.browser.network.judge = async (url, init) => {
    // A colleague moves the second deal just before the undo is written.
    if (init.method === 'PATCH')
      await inDatabase('update public.deals set stage_id = $2 where id = $1', ids[1], stageOf(tab, 'Lost').id)
    return judge(url, init)
  }
  tab.undoStep(tab.device)
  await untilEnded()
  expect(states()).toEqual(['waiting'])
  expect(ids.map((id) => dataOf(tab).tables.deals.get(id)?.name)).toEqual(['Data migration', 'Data migration'])
  await signInAgain()
  expect(operations()).toEqual([])
  expect(dataOf(tab).tables.deals.serverRow(ids[1] ?? '')?.stage_id).toBe(stageOf(tab, 'Lost').id)
})

test('if the session ends between a new contact and the read of it, the contact stays on the screen', async () => {
  const { tab } = acme
  endSessionAfterWrite('contacts')
  void tab.addContact(tab.device, { email: 'zoe@slate.test', first_name: 'Zoe', last_name: null, company: null })
  await untilEnded()
  const names = () => [...dataOf(tab).tables.contacts.values()].map(({ first_name }) => first_name)
  expect(names()).toEqual(['Zoe'])
  expect(states()).toEqual(['waiting'])
  await signInAgain()
  expect([operations(), names()]).toEqual([[], ['Zoe']])
})

test('if the session has ended when the brands are read, they stay on this device, and the person must sign in', async () => {
  acme.browser.network.judge = (url) => (url.includes('/rpc/pull') ? 'refuse' : 'pass')
  await inDatabase('delete from auth.sessions where user_id = $1', acme.userId)
  const { tab } = acme
  await tab.loadMemberships(tab.device)
  expect(tab.membershipsOf(tab.device).get()).toMatchObject({ fresh: false, memberships: [{ brandId: acme.brandId }] })
  await untilEnded()
  const reloaded = await acme.browser.openTab()
  expect(await reloaded.readMemberships(reloaded.device)).toMatchObject([{ brandId: acme.brandId }])
  expect(await reloaded.readSession(reloaded.device)).toMatchObject({ expired: true })
  await signInAgain()
})

test('a new brand that an ended session may not create is refused, and the person must sign in', async () => {
  acme.browser.network.judge = (url) => (url.includes('/rpc/pull') ? 'refuse' : 'pass')
  await inDatabase('delete from auth.sessions where user_id = $1', acme.userId)
  const { tab } = acme
  expect(await tab.createBrand(tab.device, `Bolt ${acme.brandId}`)).toMatchObject({ status: 'refused', code: 'PT401' })
  await untilEnded()
  await signInAgain()
})
