import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
let stages: string[]
beforeAll(async () => {
  scene = await openScene()
  const { rows } = await scene.owner.query<{ id: string }>(
    'select id from deal_stages where brand_id = $1 order by position',
    [scene.acme],
  )
  stages = rows.map(({ id }) => id)
  // Deletes the notifications that the members got when they were added to the brand.
  await scene.owner.query('delete from notifications')
})
afterAll(() => scene.drop())

type Member = 'ana' | 'bo' | 'kim' | 'cy'

const insertRow = async (by: Person, table: string, values: Record<string, unknown>) => {
  const columns = Object.keys(values)
  const { rows } = await scene.as(by)<{ id: string }>(
    `insert into ${table} (brand_id, ${columns.join(', ')}) values ($1, ${columns.map((_, i) => `$${i + 2}`).join(', ')}) returning id`,
    [scene.acme, ...Object.values(values)],
  )
  return rows[0]?.id ?? ''
}
const setColumn = (by: Person, table: string, id: string, column: string, value: unknown) =>
  scene.as(by)(`update ${table} set ${column} = $3 where brand_id = $1 and id = $2`, [scene.acme, id, value])

/** Returns the notifications of a person, newest first, and deletes them, so that each test starts without notifications. */
const takeNotifications = async (person: Member) => {
  const { rows } = await scene.as(person)(
    'select kind, record_table, record_id, title, detail, is_many, actor_id from notifications where brand_id = $1 order by created_at desc',
    [scene.acme],
  )
  await scene.owner.query('delete from notifications where user_id = $1', [scene.ids[person]])
  return rows
}
const expectedNotification = (kind: string, title: string, by: Member, more = {}) =>
  expect.objectContaining({ kind, title, actor_id: scene.ids[by], is_many: false, ...more })

describe('a notification', () => {
  it('a notification tells the new owner or assignee of a record who gave it to them, unless they took it themselves', async () => {
    const deal = await insertRow('ana', 'deals', { name: 'Boiler', stage_id: stages[0], owner_id: scene.ids.bo })
    await insertRow('bo', 'tasks', { title: 'Call', assignee_id: scene.ids.kim })
    const contact = await insertRow('ana', 'contacts', { email: 'zoe@example.com', owner_id: scene.ids.ana })
    await setColumn('ana', 'contacts', contact, 'owner_id', scene.ids.cy)
    await setColumn('kim', 'deals', deal, 'name', 'Boiler 2')
    expect(await takeNotifications('bo')).toEqual([
      expectedNotification('assigned', 'Boiler', 'ana', { record_table: 'deals', record_id: deal }),
    ])
    expect(await takeNotifications('kim')).toEqual([
      expectedNotification('assigned', 'Call', 'bo', { record_table: 'tasks' }),
    ])
    expect(await takeNotifications('cy')).toEqual([expectedNotification('assigned', 'zoe@example.com', 'ana')])
    expect(await takeNotifications('ana')).toEqual([])
    await setColumn('bo', 'deals', deal, 'owner_id', scene.ids.kim)
    await setColumn('bo', 'deals', deal, 'owner_id', scene.ids.bo)
    expect(await takeNotifications('bo')).toEqual([])
    // The assignment was undone before kim read its notification.
    expect(await takeNotifications('kim')).toEqual([])
  })

  it('a notification tells the owner of a deal that another person moved it, with the stage', async () => {
    const deal = await insertRow('bo', 'deals', { name: 'Roof', stage_id: stages[0], owner_id: scene.ids.bo })
    await setColumn('bo', 'deals', deal, 'stage_id', stages[1])
    expect(await takeNotifications('bo')).toEqual([])
    await setColumn('kim', 'deals', deal, 'stage_id', stages[2])
    expect(await takeNotifications('bo')).toEqual([
      expectedNotification('deal_moved', 'Roof', 'kim', { detail: 'Proposal', record_id: deal }),
    ])
  })

  it('a person who becomes owner of many records at once gets one notification; restored records cause none', async () => {
    const ids = []
    for (let i = 0; i < 4; i++)
      ids.push(await insertRow('bo', 'companies', { name: `Co ${i}`, owner_id: scene.ids.bo }))
    await scene.as('ana')('update companies set owner_id = $2 where brand_id = $1', [scene.acme, scene.ids.kim])
    expect(await takeNotifications('kim')).toEqual([
      expectedNotification('assigned', expect.stringMatching(/^Co /) as never, 'ana', { is_many: true }),
    ])
    await scene.as('ana')('delete from companies where brand_id = $1', [scene.acme])
    await scene.as('ana')(`select restore_records($1, 'companies', $2)`, [scene.acme, ids])
    expect(await takeNotifications('kim')).toEqual([])
  })

  it('a notification tells the inviter that the invitation was accepted', async () => {
    await scene.owner.query(
      `insert into invitations (brand_id, email, invited_by, sent_at) values ($1, 'gus@example.com', $2, now())`,
      [scene.acme, scene.ids.cy],
    )
    await scene.as('gus')('select accept_invitations()')
    expect(await takeNotifications('cy')).toEqual([
      expectedNotification('member_joined', 'gus', 'gus' as Member, { record_id: null }),
    ])
    await scene.owner.query('delete from memberships where brand_id = $1 and user_id = $2', [scene.acme, scene.ids.gus])
  })

  it('a person who is added to a brand gets a notification that names who did it; opening the brand marks it as read; the creator of a brand gets none', async () => {
    await scene.as('ana')(`select add_brand_member_by_email($1, 'gus@example.com', 'member')`, [scene.acme])
    const ownNotifications = async () =>
      (await scene.as('gus')('select brand_id, kind, title, detail, read_at from notifications')).rows
    const addedNotification = { brand_id: scene.acme, kind: 'added_to_brand', title: 'Acme', detail: 'ana' }
    expect(await ownNotifications()).toEqual([{ ...addedNotification, read_at: null }])
    await scene.as('gus')('select open_brand($1)', [scene.acme])
    expect(await ownNotifications()).toEqual([{ ...addedNotification, read_at: expect.any(Date) }])
    await scene.owner.query('delete from memberships where brand_id = $1 and user_id = $2', [scene.acme, scene.ids.gus])
    await scene.as('gus')(`insert into brands (name) values ('Own')`)
    expect(await ownNotifications()).toEqual([])
  })

  it('a notification is seen and marked as read by its person only, and is deleted with the membership; the secret key sees all', async () => {
    const notify = (person: keyof Scene['ids']) =>
      scene.owner.query(`select private.notify($1, $2, 'assigned', 'deals', gen_random_uuid(), 'Roof')`, [
        scene.acme,
        scene.ids[person],
      ])
    for (const person of ['kim', 'dee', 'eve', 'gus'] as const) await notify(person)
    const count = async (person: Person) =>
      Number((await scene.as(person)<{ n: string }>('select count(*) as n from notifications')).rows[0]?.n)
    for (const person of ['ana', 'cy', 'bo', 'dee', 'eve', 'gus'] as const) expect(await count(person)).toBe(0)
    expect(await count('kim')).toBe(1)
    expect(await count('service')).toBe(1)
    const markRead = async (person: Person) =>
      (await scene.as(person)(`update notifications set read_at = '2000-01-01' where brand_id = $1`, [scene.acme]))
        .rowCount
    for (const person of ['ana', 'dee', 'eve'] as const) expect(await markRead(person)).toBe(0)
    expect(await markRead('kim')).toBe(1)
    const readAt = async () =>
      (await scene.as('kim')<{ at: Date }>('select read_at as at from notifications')).rows[0]?.at.getTime() ?? 0
    const first = await readAt()
    expect(Date.now() - first).toBeLessThan(60_000)
    await markRead('kim')
    expect(await readAt()).toBe(first)
    expect(await refusalOf(scene.as('kim')(`update notifications set title = 'Mine'`))).toMatch(/^42501/)
    expect(await refusalOf(scene.as('kim')('delete from notifications'))).toMatch(/^42501/)
    await scene.as('cy')('delete from memberships where brand_id = $1 and user_id = $2', [scene.acme, scene.ids.kim])
    await scene.owner.query('insert into memberships (brand_id, user_id) values ($1, $2)', [scene.acme, scene.ids.kim])
    expect(await count('kim')).toBe(0)
  })

  it('a member keeps the newest 300 notifications; those that were read 31 days ago are deleted', async () => {
    const insert = (from: number, to: number) =>
      scene.owner.query(
        `insert into notifications (brand_id, user_id, kind, title, created_at, read_at)
         select $1, $2, 'deal_moved', i::text, now() - (1000 - i) * interval '1 minute',
           case when i <= 5 then now() - interval '31 days' end
         from generate_series($3::int, $4::int) i`,
        [scene.acme, scene.ids.bo, from, to],
      )
    await insert(1, 20)
    await insert(21, 21)
    const titles = async () => (await scene.as('bo')('select title::int as n from notifications order by 1')).rows
    expect((await titles())[0]).toEqual({ n: 6 })
    await insert(22, 400)
    expect(await titles()).toHaveLength(300)
    expect((await titles())[0]).toEqual({ n: 101 })
    await takeNotifications('bo')
  })
})

describe('live events of notifications', () => {
  const receivedScopes = async (person: keyof Scene['ids'], scopes: string[]) =>
    (
      await scene.owner.query<{ scope: string }>('select scope from private.may_hear($1, $2::uuid[])', [
        JSON.stringify([{ role: 'authenticated', sub: scene.ids[person], session_id: scene.ids[person] }]),
        scopes,
      ])
    ).rows.map(({ scope }) => scope)

  it('live events of notifications are received by the person only, if the brand is open to the session', async () => {
    await setColumn('ana', 'tasks', await insertRow('ana', 'tasks', { title: 'Call' }), 'assignee_id', scene.ids.bo)
    const { rows } = await scene.owner.query<{ inbox_id: string }>(
      'select inbox_id from notifications where user_id = $1',
      [scene.ids.bo],
    )
    const inbox = rows[0]?.inbox_id ?? ''
    expect(await receivedScopes('bo', [inbox])).toEqual([inbox])
    for (const person of ['ana', 'kim', 'eve', 'gus', 'dee'] as const)
      expect(await receivedScopes(person, [inbox])).toEqual([])
    await scene.owner.query('update brands set requires_second_factor = true where id = $1', [scene.acme])
    expect(await receivedScopes('bo', [inbox])).toEqual([])
    await scene.owner.query('update brands set requires_second_factor = false where id = $1', [scene.acme])
    // Eve creates a brand whose id is the user id of bo. She receives the live events of that brand, but not those of his notifications.
    await scene.as('eve')(`insert into brands (id, name) values ($1, 'Trap')`, [scene.ids.bo])
    expect(await receivedScopes('eve', [scene.ids.bo])).toEqual([scene.ids.bo])
    expect(inbox).not.toBe(scene.ids.bo)
  })
})
