import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openAddedBrand } from '#web/data/people/brand-opening.ts'
import { leaveBrand } from '#web/data/people/change-brand.ts'
import { deleteOwnAccount } from '#web/data/people/delete-account.ts'
import { acme, inDatabase, server, setUpAcme } from '../harness/acme-scene.ts'
import { signUpPerson } from '../harness/client.ts'

setUpAcme()

/** Eve founds a brand, makes Ana an owner of it, and leaves. `withMember`: Lou is in it, too, and has opened it. */
async function brandLeftByEve({ withMember = false } = {}) {
  const [eve, lou] = await Promise.all(
    ['eve', 'lou'].map((name) => signUpPerson(server, `${name}-${randomUUID()}@x.org`)),
  )
  if (!eve || !lou) throw new Error('A sign-up is missing.')
  const id = randomUUID()
  expect((await eve.client.from('brands').insert({ id, name: `Umbra ${id}`, slug: 'umbra' })).error).toBeNull()
  const people = [
    { email: acme.email, role: 'owner' },
    ...(withMember ? [{ email: lou.user.email, role: 'member' }] : []),
  ]
  for (const { email, role } of people) {
    const args = { p_brand_id: id, p_email: email, p_role: role }
    expect((await eve.client.rpc('add_brand_member_by_email', args)).error).toBeNull()
  }
  if (withMember) expect((await lou.client.rpc('open_brand', { p_brand_id: id })).error).toBeNull()
  const own = eve.client.from('memberships').delete().eq('brand_id', id).eq('user_id', eve.user.id)
  expect((await own.select('role')).data).toHaveLength(1)
  await acme.tab.loadMemberships(acme.tab.device)
  return { id, lou: lou.user.id }
}

const membersOf = (brandId: string) =>
  inDatabase('select user_id, role from public.memberships where brand_id = $1', brandId)
const brandIds = () =>
  acme.tab
    .membershipsOf(acme.tab.device)
    .get()
    .memberships.map(({ brandId }) => brandId)

test('the last owner of a brand that they have never opened can leave it, and another member becomes the owner', async () => {
  const { id, lou } = await brandLeftByEve({ withMember: true })
  expect(brandIds()).toContain(id)
  expect(await leaveBrand(acme.tab.device, id, null)).toEqual({ status: 'saved', id })
  expect(await membersOf(id)).toEqual([{ user_id: lou, role: 'owner' }])
  expect(brandIds()).toEqual([acme.brandId])
})

test('the only member of a brand that they have never opened can leave it, and it is deleted', async () => {
  const { id } = await brandLeftByEve()
  expect(await leaveBrand(acme.tab.device, id, null)).toEqual({ status: 'saved', id })
  expect(await inDatabase('select id from public.brands where id = $1', id)).toEqual([])
  expect(brandIds()).toEqual([acme.brandId])
})

test('the last owner of a brand that they have opened cannot leave it', async () => {
  const { id } = await brandLeftByEve({ withMember: true })
  expect(await openAddedBrand(acme.tab.device, id)).toMatchObject({ status: 'saved' })
  expect(await leaveBrand(acme.tab.device, id, null)).toMatchObject({ status: 'refused', message: 'LAST_OWNER' })
  expect(await membersOf(id)).toHaveLength(2)
})

test('the last owner of a brand that they have opened cannot delete the account; brands that strangers have left to them do not prevent it', async () => {
  const { tab, userId } = acme
  const stranger = await brandLeftByEve()
  const { id, lou } = await brandLeftByEve({ withMember: true })
  expect(await deleteOwnAccount(tab.device)).toMatchObject({ ok: false, lastOwnerOf: [expect.stringMatching('Acme')] })
  expect(await inDatabase('select id from public.brands where id = $1', stranger.id)).toHaveLength(1)
  expect(await membersOf(id)).toHaveLength(2)
  await inDatabase('update public.brands set requires_second_factor = true where id = $1', stranger.id)
  await inDatabase(
    `insert into public.memberships (brand_id, user_id, role) values ($1, $2, 'owner')`,
    acme.brandId,
    lou,
  )
  expect(await deleteOwnAccount(tab.device)).toEqual({ ok: true })
  expect(await membersOf(id)).toEqual([{ user_id: lou, role: 'owner' }])
  expect(await inDatabase('select id from auth.users where id = $1', userId)).toEqual([])
  expect(await inDatabase('select id from public.brands where id = $1', stranger.id)).toEqual([])
})

test('all opened brands are known if there are more of them than a response has rows, and if a stranger has added the user to many brands', async () => {
  const { tab, userId } = acme
  // Smaller ids than those of the brands that Ana has opened, and added before them.
  await inDatabase(
    `with b as (
       insert into public.brands (id, name, slug)
       select (lpad(to_hex(n), 8, '0') || '-0000-4000-8000-000000000000')::uuid, 'Of a stranger ' || n, 's' from generate_series(1, 600) n
       returning id
     ) insert into public.memberships (brand_id, user_id) select id, $1 from b`,
    userId,
  )
  await inDatabase(
    `with b as (insert into public.brands (name, slug) select 'Own ' || n, 'o' from generate_series(1, 1100) n returning id)
     insert into public.memberships (brand_id, user_id, opened_at) select id, $1, clock_timestamp() from b`,
    userId,
  )
  await tab.loadMemberships(tab.device)
  const { memberships, error } = tab.membershipsOf(tab.device).get()
  expect(error).toBeNull()
  expect(memberships.filter(({ added }) => !added)).toHaveLength(1101)
  expect(memberships.filter(({ added }) => added)).toHaveLength(600)
}, 60_000)
