import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilLockWait } from '#tests/harness/lock-wait.ts'
import { openScene, type Person, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.drop())

const rowsAs = <Row extends pg.QueryResultRow>(person: Person, text: string, ...values: unknown[]) =>
  scene
    .as(person)<Row>(text, [scene.acme, ...values])
    .then(({ rows }) => rows)

async function addTag(): Promise<string> {
  const id = randomUUID()
  await rowsAs('cy', 'insert into tags (brand_id, id, name) values ($1, $2, $3)', id, id)
  return id
}
async function addContact(tags: readonly string[]): Promise<string> {
  const id = randomUUID()
  await rowsAs(
    'bo',
    'insert into contacts (brand_id, id, email, tag_ids) values ($1, $2, $3, $4)',
    id,
    `${id}@x.y`,
    tags,
  )
  return id
}
async function tagsOf(id: string): Promise<string[]> {
  const rows = await rowsAs<{ tag_ids: string[] }>(
    'bo',
    'select tag_ids from contacts where brand_id = $1 and id = $2',
    id,
  )
  return rows[0]?.tag_ids.toSorted() ?? []
}
async function merge(from: string, into: string): Promise<void> {
  for (let done = false; !done; ) {
    const [row] = await rowsAs<{ n: { done: boolean } }>('cy', 'select merge_tags($1, $2, $3) as n', from, into)
    done = row?.n.done ?? true
  }
}
const restore = async (...ids: string[]) =>
  (await rowsAs<{ n: number }>('cy', `select restore_moved($1, 'tags', $2) as n`, ids))[0]?.n

/** Begins a transaction as a person, runs this statement in it, and leaves it open. */
async function openTransaction(person: Person, text: string, ...values: unknown[]) {
  const client = await scene.owner.connect()
  await client.query('begin')
  await scene.become(client, person)
  await client.query(text, [scene.acme, ...values])
  return {
    run: (more: string, ...given: unknown[]) => client.query(more, [scene.acme, ...given]),
    async commit() {
      await client.query('commit')
      client.release()
    },
  }
}

it.each([
  ['the first one first', false],
  ['the last one first', true],
])('records have their former tags again after two merges into one tag are undone, %s', async (_, isReversed) => {
  const [a, b, c] = [await addTag(), await addTag(), await addTag()]
  const before = [[a], [b], [a, b], [a, b, c], [a, c], [c]].map((tags) => tags.toSorted())
  const ids = await Promise.all(before.map(addContact))
  await merge(a, c)
  await merge(b, c)
  expect(await Promise.all(ids.map(tagsOf))).toEqual(ids.map(() => [c]))
  const [first, second] = isReversed ? ([b, a] as const) : ([a, b] as const)
  await restore(first)
  // Both merges replaced a tag of this record by c. So c stays until the second merge is undone, too.
  expect(await tagsOf(ids[2] ?? '')).toEqual([first, c].toSorted())
  await restore(second)
  expect(await Promise.all(ids.map(tagsOf))).toEqual(before)
})

it('the undo of a merge skips a record that has reached 30 tags meanwhile, and restores the others', async () => {
  const tags = await Promise.all(Array.from({ length: 31 }, addTag))
  const [a = '', b = '', ...more] = tags
  const [fullContact, otherContact] = [await addContact([a, b]), await addContact([a])]
  await merge(a, b)
  const thirtyTags = [b, ...more].toSorted()
  await rowsAs('bo', 'update contacts set tag_ids = $3 where brand_id = $1 and id = $2', fullContact, thirtyTags)
  expect(await restore(a)).toBe(1)
  expect([await tagsOf(fullContact), await tagsOf(otherContact)]).toEqual([thirtyTags, [a]])
})

it('a record that gets a tag while that tag is merged has the other tag in the end', async () => {
  const [a, b] = [await addTag(), await addTag()]
  const id = await addContact([])
  const tagging = await openTransaction('bo', 'update contacts set tag_ids = $3 where brand_id = $1 and id = $2', id, [
    a,
  ])
  const merging = merge(a, b)
  await untilLockWait(scene.owner)
  await tagging.commit()
  await merging
  expect(await tagsOf(id)).toEqual([b])
  await restore(a)
  expect(await tagsOf(id)).toEqual([a])
})

it('the undo of a merge waits for an import that creates a tag, without a deadlock', async () => {
  const [a, b] = [await addTag(), await addTag()]
  const id = await addContact([a])
  await merge(a, b)
  // This transaction does what an import does: it locks contacts, and then creates tags.
  const lockContact = 'select from contacts where brand_id = $1 and id = $2 for no key update'
  const importing = await openTransaction('cy', lockContact, id)
  const undo = restore(a)
  await untilLockWait(scene.owner)
  await importing.run(`insert into tags (brand_id, name) values ($1, $2)`, randomUUID())
  await importing.commit()
  expect(await undo).toBe(1)
  expect(await tagsOf(id)).toEqual([a])
})

it('a merge and the delete of a stage at the same time delete old moves without a deadlock', async () => {
  const [a, b] = [await addTag(), await addTag()]
  const stages = await rowsAs<{ id: string }>('bo', 'select id from deal_stages where brand_id = $1 order by position')
  const [to, from] = stages.map(({ id }) => id)
  const heldContact = await addContact([a])
  const deal = randomUUID()
  const insertDeal = 'insert into deals (brand_id, id, name, stage_id, tag_ids) values ($1, $2, $3, $4, $5)'
  await rowsAs('bo', insertDeal, deal, 'Deal', from, [a])
  const insertOldMove = `insert into private.moved_records (brand_id, from_table, from_id, record_table, record_id, to_id, moved_at)
    values ($1, 'tags', $2, 'deals', $3, $2, now() - interval '2 days')`
  await scene.owner.query(insertOldMove, [scene.acme, randomUUID(), deal])
  // The merge deletes old moves, then locks contacts, then deals. Here it waits for a contact that another transaction has locked.
  const holding = await openTransaction(
    'bo',
    'update contacts set first_name = $3 where brand_id = $1 and id = $2',
    heldContact,
    'Held',
  )
  const merging = merge(a, b)
  await untilLockWait(scene.owner)
  const deleting = rowsAs('ana', 'select delete_deal_stage($1, $2, $3)', from, to)
  await Promise.race([deleting, sleep(1_000)])
  await holding.commit()
  await Promise.all([merging, deleting])
  const rows = await rowsAs('bo', 'select stage_id, tag_ids from deals where brand_id = $1 and id = $2', deal)
  expect(rows).toEqual([{ stage_id: to, tag_ids: [b] }])
})

describe('a write that names a merged tag', () => {
  const setTags = (id: string, tags: readonly string[]) =>
    rowsAs('bo', 'update contacts set tag_ids = $3 where brand_id = $1 and id = $2', id, tags)
  const addTags = async (ids: readonly string[], tags: readonly string[], removed: readonly string[] = []) => {
    const query = { table: 'contacts', where: { id: ids } }
    const change = { add_tags: tags, remove_tags: removed }
    const [row] = await rowsAs<{ n: { count: number } }>('bo', 'select change_matching($1, $2, $3) as n', query, change)
    return row?.n.count
  }

  it('a write that names a merged tag gives the record the target instead, also after further merges, and once only', async () => {
    const [a, b, c, other] = [await addTag(), await addTag(), await addTag(), await addTag()]
    const ids = [await addContact([other]), await addContact([]), await addContact([b])]
    await merge(a, b)
    await setTags(ids[0] ?? '', [other, a])
    await setTags(ids[1] ?? '', [a, b])
    const newContact = await addContact([a])
    expect(await Promise.all([...ids, newContact].map(tagsOf))).toEqual([[b, other].toSorted(), [b], [b], [b]])
    await merge(b, c)
    const laterContact = await addContact([a, b, other])
    expect(await tagsOf(laterContact)).toEqual([c, other].toSorted())
    // The target is deleted. Its id stays in the record, as that of any deleted tag, and the record has the tag again after its restore.
    await rowsAs('cy', 'delete from tags where brand_id = $1 and id = $2', c)
    expect(await tagsOf(await addContact([a]))).toEqual([c])
  })

  it('a write that adds a merged tag to many records gives them the target, and changes none that already has it', async () => {
    const [a, b] = [await addTag(), await addTag()]
    const ids = await Promise.all([[], [b], []].map(addContact))
    await merge(a, b)
    expect(await addTags(ids, [a])).toBe(2)
    expect(await Promise.all(ids.map(tagsOf))).toEqual(ids.map(() => [b]))
    expect(await addTags(ids, [a], [b])).toBe(0)
  })

  it('a write that names a merged tag is refused if the record would have more than 30 tags', async () => {
    const tags = await Promise.all(Array.from({ length: 32 }, addTag))
    const [a = '', b = '', ...thirty] = tags
    const [fullContact, nearlyFullContact] = [await addContact(thirty), await addContact([...thirty.slice(1), a])]
    await merge(a, b)
    await expect(setTags(fullContact, [...thirty, a])).rejects.toThrow('A record has at most 30 tags.')
    await setTags(nearlyFullContact, [...thirty.slice(1), a, b])
    expect(await tagsOf(nearlyFullContact)).toEqual([...thirty.slice(1), b].toSorted())
  })

  it('a record that was deleted before the merge is restored with the target', async () => {
    const [a, b] = [await addTag(), await addTag()]
    const id = await addContact([a])
    await rowsAs('bo', 'delete from contacts where brand_id = $1 and id = $2', id)
    await merge(a, b)
    await rowsAs('bo', `select restore_records($1, 'contacts', $2)`, [id])
    expect(await tagsOf(id)).toEqual([b])
  })

  it('a record that got the target instead of a merged tag keeps it after the undo of the merge; later writes add the tag itself', async () => {
    const [a, b] = [await addTag(), await addTag()]
    const [plainContact, contactWithTarget, movedContact] = [
      await addContact([]),
      await addContact([b]),
      await addContact([a]),
    ]
    await merge(a, b)
    await addTags([plainContact], [a])
    await setTags(contactWithTarget, [a, b])
    expect(await restore(a)).toBe(1)
    expect(await Promise.all([plainContact, contactWithTarget, movedContact].map(tagsOf))).toEqual([[b], [b], [a]])
    expect(await tagsOf(await addContact([a]))).toEqual([a])
    const { rows } = await scene.owner.query('select from private.tombstones where row_id = $1', [a])
    expect(rows).toEqual([])
  })

  it('a write that waits for the end of a merge gives the record the target', async () => {
    const [a, b] = [await addTag(), await addTag()]
    const id = await addContact([])
    const merging = await openTransaction('cy', 'select merge_tags($1, $2, $3)', a, b)
    const tagging = setTags(id, [a])
    await untilLockWait(scene.owner)
    await merging.commit()
    await tagging
    expect(await tagsOf(id)).toEqual([b])
  })

  it('a tag of another brand with the same id is left as it is', async () => {
    const [a, b] = [await addTag(), await addTag()]
    await merge(a, b)
    const asEve = scene.as('eve')
    await asEve(`insert into tags (brand_id, id, name) values ($1, $2, 'Same id')`, [scene.umbra, a])
    const insert = 'insert into contacts (brand_id, email, tag_ids) values ($1, $2, $3) returning tag_ids'
    expect((await asEve(insert, [scene.umbra, 'same@x.y', [a]])).rows).toEqual([{ tag_ids: [a] }])
    await asEve('delete from tags where brand_id = $1 and id = $2', [scene.umbra, a])
    expect((await asEve(insert, [scene.umbra, 'deleted@x.y', [a, b]])).rows).toEqual([{ tag_ids: [a] }])
  })
})
