import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Person, type Scene } from './people.ts'

let scene: Scene
const [zoe, uta] = [randomUUID(), randomUUID()]
const runInAcme = (person: Person, text: string, ...values: unknown[]) =>
  scene.as(person)(text, [scene.acme, ...values])

beforeAll(async () => {
  scene = await openScene()
  await runInAcme(
    'bo',
    `insert into contacts (brand_id, id, first_name) values ($1, $2, 'Zoe'), ($1, $3, 'Uta')`,
    zoe,
    uta,
  )
})
afterAll(() => scene.drop())

describe('the history of a record’s tags', () => {
  const history = async (id: string) =>
    (
      await runInAcme(
        'bo',
        `select from_value, to_value, changed_by from field_changes where brand_id = $1 and record_id = $2 and column_name = 'tag_ids' order by id`,
        id,
      )
    ).rows
  const [vip, partner, deletedTag] = [0, 1, 2].map((digit) => `${digit}${randomUUID().slice(1)}`)

  it('the history of a record names added and removed tags and who changed them, also for many records at once; the delete of a tag adds no line', async () => {
    await runInAcme(
      'ana',
      `insert into tags (brand_id, id, name) values ($1, $2, 'VIP'), ($1, $3, 'Partner'), ($1, $4, 'Gone')`,
      vip,
      partner,
      deletedTag,
    )
    const setTags = (person: Person, ids: unknown[]) =>
      runInAcme(person, 'update contacts set tag_ids = $2 where brand_id = $1 and id = $3', ids, zoe)
    await setTags('bo', [vip, deletedTag])
    await setTags('bo', [deletedTag, vip])
    await runInAcme('ana', 'delete from tags where brand_id = $1 and id = $2', deletedTag)
    await setTags('kim', [partner])
    await runInAcme(
      'cy',
      `select change_matching($1, '{"table": "contacts"}', jsonb_build_object('add_tags', jsonb_build_array($2::text), 'remove_tags', '[]'::jsonb))`,
      vip,
    )
    const { bo, kim, cy } = scene.ids
    expect(await history(zoe)).toEqual([
      { from_value: null, to_value: `${vip} ${deletedTag}`, changed_by: bo },
      { from_value: vip, to_value: partner, changed_by: kim },
      { from_value: null, to_value: vip, changed_by: cy },
    ])
    expect(await history(uta)).toEqual([{ from_value: null, to_value: vip, changed_by: cy }])
    const { rows } = await runInAcme('bo', `select timeline($1, 'contacts', $2) -> 'entries' -> 0 as entry`, uta)
    expect(rows[0]?.entry).toMatchObject({ kind: 'field', column: 'tag_ids', from: null, to: vip, by: cy })
  })
})
