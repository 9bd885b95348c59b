import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { deleteOwnAccount } from '#web/data/people/delete-account.ts'
import { deleteBrand } from '#web/data/people/change-brand.ts'
import { removeMember } from '#web/data/people/change-members.ts'
import { acme, server, setUpAcme } from '../harness/acme-scene.ts'
import { canceledResponse, cancelFirst } from '../harness/canceled-statement.ts'

setUpAcme()

const owner = () => server.database?.owner ?? expect.fail('no database')

async function addContacts(count: number, ownerId: string): Promise<void> {
  await owner().query(
    `insert into public.contacts (brand_id, email, owner_id) select $1, 'c' || n || '@acme.test', $2 from generate_series(1, $3::integer) n`,
    [acme.brandId, ownerId, count],
  )
}

async function addMember(): Promise<string> {
  const id = randomUUID()
  await owner().query('insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())', [
    id,
    `bo-${id}@acme.test`,
  ])
  await owner().query('insert into public.memberships (brand_id, user_id) values ($1, $2)', [acme.brandId, id])
  return id
}

test('a brand whose delete takes too long is deleted in pieces', async () => {
  const { tab, brandId } = acme
  await addContacts(2001, acme.userId)
  cancelFirst(acme, 'DELETE', '/rest/v1/brands')
  expect(await deleteBrand(tab.device)).toEqual({ status: 'saved', id: brandId })
  const { rowCount } = await owner().query('select from public.brands where id = $1', [brandId])
  expect(rowCount).toBe(0)
})

test('a member whose removal takes too long is removed after the records were given away in pieces', async () => {
  const { tab, brandId, userId } = acme
  const bo = await addMember()
  await addContacts(2001, bo)
  cancelFirst(acme, 'POST', '/rest/v1/rpc/remove_member')
  let movedRecords = ''
  expect(await removeMember(tab.device, bo, userId, (records) => (movedRecords = records))).toEqual({
    status: 'saved',
    id: bo,
  })
  expect(movedRecords).toBe('2,001 contacts')
  const { rows } = await owner().query(
    'select count(*)::integer as n from public.contacts where brand_id = $1 and owner_id = $2',
    [brandId, userId],
  )
  expect(rows).toEqual([{ n: 2001 }])
})

test('a delete that is refused for another reason than its duration is not done in pieces, and the refusal is shown', async () => {
  const { tab, brandId } = acme
  await addContacts(2, acme.userId)
  acme.browser.network.judge = (_url, init) =>
    init.method === 'DELETE' ? Response.json({ code: '42501', message: 'NOT_AUTHORIZED' }, { status: 403 }) : 'pass'
  expect(await deleteBrand(tab.device)).toMatchObject({ status: 'refused', code: '42501' })
  const { rowCount } = await owner().query('select from public.contacts where brand_id = $1', [brandId])
  expect(rowCount).toBe(2)
})

test('a piece whose response is lost is sent again; a refusal after the pieces is shown with its code', async () => {
  const { tab, brandId } = acme
  const bo = await addMember()
  await addContacts(2001, bo)
  const calls: string[] = []
  acme.browser.network.judge = (url, init) => {
    const name = `${init.method} ${new URL(url).pathname}`
    calls.push(name)
    const isFirst = calls.indexOf(name) === calls.length - 1
    if (name === 'POST /rest/v1/rpc/release_records') return isFirst ? 'drop-answer' : 'pass'
    if (name === 'POST /rest/v1/rpc/remove_member')
      return isFirst ? canceledResponse() : Response.json({ code: 'BY001', message: 'LAST_OWNER' }, { status: 400 })
    return 'pass'
  }
  expect(await removeMember(tab.device, bo, acme.userId)).toEqual({
    status: 'refused',
    message: 'LAST_OWNER',
    code: 'BY001',
  })
  const { rows } = await owner().query(
    'select count(*)::integer as n from public.contacts where brand_id = $1 and owner_id = $2',
    [brandId, bo],
  )
  expect(rows).toEqual([{ n: 0 }])
})

test('an account whose delete takes too long is deleted after its records have no owner any more', async () => {
  const { tab, brandId, userId } = acme
  const bo = await addMember()
  await owner().query("update public.memberships set role = 'owner' where brand_id = $1 and user_id = $2", [
    brandId,
    bo,
  ])
  await addContacts(2001, userId)
  cancelFirst(acme, 'POST', '/rest/v1/rpc/delete_my_account')
  // The page of the account does not load the memberships, so they are empty there.
  tab.membershipsOf(tab.device).set({ ...tab.membershipsOf(tab.device).get(), memberships: [] })
  expect(await deleteOwnAccount(tab.device)).toEqual({ ok: true })
  const { rows } = await owner().query(
    'select count(*)::integer as n from public.contacts where brand_id = $1 and owner_id is null',
    [brandId],
  )
  expect(rows).toEqual([{ n: 2001 }])
  expect((await owner().query('select from auth.users where id = $1', [userId])).rowCount).toBe(0)
})
