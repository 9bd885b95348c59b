import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeEach(async () => {
  scene = await openScene()
})
afterEach(() => scene.drop())

const setRole = async (by: Person, whose: 'ana' | 'bo' | 'kim' | 'cy', role: string) =>
  (
    await scene.as(by)('update memberships set role = $3 where brand_id = $1 and user_id = $2', [
      scene.acme,
      scene.ids[whose],
      role,
    ])
  ).rowCount
const remove = async (by: Person, whose: 'ana' | 'bo' | 'kim' | 'cy') =>
  (await scene.as(by)('delete from memberships where brand_id = $1 and user_id = $2', [scene.acme, scene.ids[whose]]))
    .rowCount
const addMember = (by: Person, email: string, role: string | null = 'member') =>
  scene.as(by)('select add_brand_member_by_email($1, $2, $3)', [scene.acme, email, role])

describe('the members of a brand', () => {
  it('the members of a brand are added by admins and owners; only owners add owners', async () => {
    expect(await refusalOf(addMember('bo', 'gus@example.com'))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(addMember('cy', 'gus@example.com', 'owner'))).toBe('P0001 NOT_AUTHORIZED')
    await addMember('cy', '  GUS@example.com ', 'admin')
    await addMember('ana', 'lou@example.com', 'owner')
    const { rows } = await scene.as('bo')('select email, role from list_brand_members($1) order by email', [scene.acme])
    expect(rows).toEqual([
      { email: 'ana@example.com', role: 'owner' },
      { email: 'bo@example.com', role: 'member' },
      { email: 'cy@example.com', role: 'admin' },
      { email: 'gus@example.com', role: 'admin' },
      { email: 'kim@example.com', role: 'member' },
      { email: 'lou@example.com', role: 'owner' },
    ])
  })

  it('a person without an account, without a confirmed e-mail address, or who is already a member cannot be added to a brand', async () => {
    expect(await refusalOf(addMember('ana', 'who@example.com'))).toBe('P0001 USER_NOT_FOUND')
    await scene.owner.query(`update auth.users set email_confirmed_at = null where email = 'gus@example.com'`)
    expect(await refusalOf(addMember('ana', 'gus@example.com'))).toBe('P0001 USER_NOT_FOUND')
    expect(await refusalOf(addMember('ana', 'bo@example.com', 'admin'))).toBe('BY002 ALREADY_MEMBER')
    expect((await scene.as('ana')('select role from memberships where user_id = $1', [scene.ids.bo])).rows).toEqual([
      { role: 'member' },
    ])
    expect(await refusalOf(addMember('ana', 'gus@example.com', 'king'))).toMatch(/USER_NOT_FOUND|^23514/)
  })

  it('admins change the roles of the members of a brand, but only owners change the role of an owner or make somebody owner', async () => {
    expect(await setRole('cy', 'bo', 'admin')).toBe(1)
    expect(await setRole('cy', 'bo', 'member')).toBe(1)
    expect(await setRole('cy', 'ana', 'member')).toBe(0)
    expect(await refusalOf(setRole('cy', 'bo', 'owner'))).toMatch(/^42501/)
    expect(await setRole('bo', 'kim', 'admin')).toBe(0)
    expect(await setRole('ana', 'bo', 'owner')).toBe(1)
  })

  it('the members of a brand cannot change their own role', async () => {
    expect(await refusalOf(setRole('bo', 'bo', 'owner'))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(setRole('cy', 'cy', 'member'))).toBe('P0001 NOT_AUTHORIZED')
    expect(await refusalOf(setRole('ana', 'ana', 'admin'))).toBe('P0001 NOT_AUTHORIZED')
  })

  it('the members of a brand can change only their own display names', async () => {
    const rename = (by: Person, whose: 'bo' | 'kim') =>
      scene.as(by)(`update memberships set display_name = ' Bo B. ' where brand_id = $1 and user_id = $2`, [
        scene.acme,
        scene.ids[whose],
      ])
    expect((await rename('bo', 'bo')).rowCount).toBe(1)
    expect((await rename('bo', 'kim')).rowCount).toBe(0)
    expect(await refusalOf(rename('ana', 'bo'))).toBe('P0001 NOT_AUTHORIZED')
    const { rows } = await scene.as('ana')('select display_name from memberships where user_id = $1', [scene.ids.bo])
    expect(rows).toEqual([{ display_name: 'Bo B.' }])
  })

  it('the members of a brand are removed by admins and owners, but an owner not by an admin; a member may leave', async () => {
    expect(await remove('bo', 'kim')).toBe(0)
    expect(await remove('cy', 'ana')).toBe(0)
    expect(await remove('cy', 'kim')).toBe(1)
    expect(await remove('bo', 'bo')).toBe(1)
    expect(await remove('ana', 'cy')).toBe(1)
  })

  it('a change of a member’s role and the removal of a member take effect at once', async () => {
    await setRole('ana', 'cy', 'member')
    expect(await refusalOf(addMember('cy', 'gus@example.com'))).toBe('P0001 NOT_AUTHORIZED')
    await remove('ana', 'cy')
    expect((await scene.as('cy')('select from deal_stages')).rowCount).toBe(0)
    expect(await refusalOf(scene.as('cy')('select pull($1)', [scene.acme]))).toBe('P0001 NOT_AUTHORIZED')
  })

  it('the members of a brand see nothing in an ended session, and a pull reports that the session has ended', async () => {
    expect((await scene.as('bo')('select from deal_stages')).rowCount).toBe(6)
    await scene.owner.query('delete from auth.sessions where user_id = $1', [scene.ids.bo])
    expect((await scene.as('bo')('select from deal_stages')).rowCount).toBe(0)
    expect(await refusalOf(scene.as('bo')('select pull($1)', [scene.acme]))).toBe('PT401 SESSION_ENDED')
    expect(await refusalOf(scene.as('bo')(`insert into brands (name) values ('Mine')`))).toMatch(/^42501/)
    await scene.owner.query(
      `insert into auth.sessions (id, user_id, not_after) values ($1, $1, now() - interval '1 second')`,
      [scene.ids.bo],
    )
    expect((await scene.as('bo')('select from deal_stages')).rowCount).toBe(0)
  })

  it('the records of a member have no owner after the member has left the brand', async () => {
    const id = randomUUID()
    await scene.as('bo')('insert into companies (brand_id, id, name, owner_id) values ($1, $2, $3, $4)', [
      scene.acme,
      id,
      'Big',
      scene.ids.bo,
    ])
    await remove('bo', 'bo')
    const { rows } = await scene.as('ana')('select owner_id, created_by, version from companies where id = $1', [id])
    expect(rows).toEqual([{ owner_id: null, created_by: scene.ids.bo, version: 2 }])
  })
})

describe('the last owner', () => {
  it('the last owner cannot leave, be removed or be demoted, not even with the secret key', async () => {
    expect(await refusalOf(remove('ana', 'ana'))).toBe('BY001 LAST_OWNER')
    expect(await refusalOf(remove('service', 'ana'))).toBe('BY001 LAST_OWNER')
    expect(await refusalOf(setRole('service', 'ana', 'member'))).toBe('BY001 LAST_OWNER')
    await setRole('ana', 'bo', 'owner')
    expect(await remove('ana', 'ana')).toBe(1)
    expect(await refusalOf(remove('bo', 'bo'))).toBe('BY001 LAST_OWNER')
  })

  it('a statement that would remove all owners of a brand is refused', async () => {
    await setRole('ana', 'bo', 'owner')
    expect(
      await refusalOf(scene.as('ana')(`delete from memberships where brand_id = $1 and role = 'owner'`, [scene.acme])),
    ).toBe('BY001 LAST_OWNER')
  })

  it('one owner stays if two simultaneous requests would remove both owners, in each of 200 rounds', async () => {
    const owners = async () =>
      (await scene.owner.query(`select from memberships where brand_id = $1 and role = 'owner'`, [scene.acme])).rowCount
    for (let round = 0; round < 200; round++) {
      await scene.owner.query(`update memberships set role = 'owner' where brand_id = $1 and user_id = $2`, [
        scene.acme,
        scene.ids.bo,
      ])
      // Both leave, or each demotes the other.
      const requests =
        round % 2 === 0
          ? [remove('ana', 'ana'), remove('bo', 'bo')]
          : [setRole('ana', 'bo', 'member'), setRole('bo', 'ana', 'member')]
      const results = await Promise.allSettled(requests)
      expect(await owners()).toBe(1)
      expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
      await scene.owner.query(
        `insert into memberships (brand_id, user_id, role) values ($1, $2, 'owner'), ($1, $3, 'owner')
         on conflict (brand_id, user_id) do update set role = 'owner'`,
        [scene.acme, scene.ids.ana, scene.ids.bo],
      )
    }
  })
})
