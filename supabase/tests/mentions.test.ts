import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Person, type Scene } from './people.ts'

let scene: Scene
let company: string
beforeAll(async () => {
  scene = await openScene()
  const insertCompany = `insert into companies (brand_id, name) values ($1, 'Slate & Sons') returning id`
  company = (await scene.as('ana')<{ id: string }>(insertCompany, [scene.acme])).rows[0]?.id ?? ''
})
afterAll(() => scene.drop())

const people = ['ana', 'bo', 'kim', 'cy', 'dee', 'eve', 'gus'] as const
type MentionedPerson = (typeof people)[number]
const mention = (person: MentionedPerson, name: string = person) => `@[${name}](user:${scene.ids[person]})`

const writeNote = async (by: Person, body: string) =>
  (
    await scene.as(by)<{ id: string }>(
      'insert into notes (brand_id, body, company_id) values ($1, $2, $3) returning id',
      [scene.acme, body, company],
    )
  ).rows[0]?.id ?? ''
const edit = (by: Person, id: string, body: string) =>
  scene.as(by)('update notes set body = $3 where brand_id = $1 and id = $2', [scene.acme, id, body])
const takeNotifications = async () =>
  (
    await scene.owner.query<Record<string, string>>(
      `delete from notifications n where kind = 'mentioned'
       returning user_id, record_table, record_id, title, detail, actor_id, note_id, private.push_payload(n) ->> 'url' as url`,
    )
  ).rows

it('a note notifies the mentioned members except its author, with the beginning of its text, and no person outside of the brand', async () => {
  const body = `Ask ${mention('bo', 'Bo Hale')}\nand ${mention('dee')}, ${mention('eve')}, ${mention('ana')} about the roof.`
  const note = await writeNote('ana', body)
  expect(await takeNotifications()).toEqual([
    {
      user_id: scene.ids.bo,
      record_table: 'companies',
      record_id: company,
      title: 'Slate & Sons',
      detail: 'Ask @Bo Hale and @dee, @eve, @ana about the roof.',
      actor_id: scene.ids.ana,
      note_id: note,
      url: `/crm/companies/${company}#note-${note}`,
    },
  ])
  for (const text of ['@[bo](user:nobody)', `[bo](user:${scene.ids.bo})`, `@[b\no](user:${scene.ids.bo})`, '](user:'])
    await writeNote('ana', text)
  expect(await takeNotifications()).toEqual([])
})

it('over 500 random edits, deletes and undos of 20 notes each mentioned member except the author is notified once per note', async () => {
  const step = fc.oneof(
    { weight: 9, arbitrary: fc.uniqueArray(fc.constantFrom(...people), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.constant('delete and undo' as const) },
  )
  const lives = fc.sample(fc.array(step, { minLength: 25, maxLength: 25 }), { numRuns: 20, seed: 64 })
  let edits = 0
  for (const steps of lives) {
    const note = await writeNote('ana', 'Roof')
    const mentioned = new Set<MentionedPerson>()
    for (const current of steps) {
      edits += 1
      if (current === 'delete and undo') {
        await scene.as('ana')('delete from notes where brand_id = $1 and id = $2', [scene.acme, note])
        await scene.as('ana')(`select restore_records($1, 'notes', array[$2]::uuid[])`, [scene.acme, note])
        continue
      }
      for (const person of current) mentioned.add(person)
      await edit('ana', note, `${edits} ${current.map((person) => mention(person)).join(' ')}`)
    }
    const members = [...mentioned].filter((person) => ['bo', 'kim', 'cy'].includes(person))
    const notifiedIds = (await takeNotifications()).map(({ user_id }) => user_id)
    expect(notifiedIds).toHaveLength(members.length)
    expect(new Set(notifiedIds)).toEqual(new Set(members.map((person) => scene.ids[person])))
  }
  expect(edits).toBe(500)
})
