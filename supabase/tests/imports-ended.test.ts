import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openScene, type Person, refusalOf, type Scene } from './people.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.owner.query('delete from notifications')
})
afterAll(() => scene.drop())

const beginImport = (person: Person, id: string | null, file: string | null = 'contacts.csv') =>
  scene.as(person)('select begin_import($1, $2, $3)', [scene.acme, id, file])
const endImport = (
  person: Person,
  id: string,
  outcome: { complete?: boolean; imported?: number | null; skipped?: number; seen?: boolean } = {},
) => {
  const { complete = true, imported = 214, skipped = 3, seen = false } = outcome
  return scene.as(person)('select end_import($1, $2, $3, $4, $5, $6)', [
    scene.acme,
    id,
    complete,
    imported,
    skipped,
    seen,
  ])
}
const notificationsOf = async (person: Person) =>
  (
    await scene.as(person)(
      `select kind, title, detail, record_table, record_id from notifications where kind = 'import_ended'`,
    )
  ).rows
const runningCount = async () =>
  (await scene.owner.query<{ n: number }>('select count(*)::int as n from private.running_imports')).rows[0]?.n
/** Makes the last activity of each import older by this number of minutes, and calls `private.on_timer()` three times at once, as three servers may. */
const tick = async (minutes: number) => {
  await scene.owner.query("update private.running_imports set active_at = active_at - $1 * interval '1 minute'", [
    minutes,
  ])
  await Promise.all([1, 2, 3].map(() => scene.owner.query('select private.on_timer()')))
}
const notification = (id: string, detail: string, title = 'contacts.csv') => ({
  kind: 'import_ended',
  title,
  detail,
  record_table: null,
  record_id: id,
})

it('an import that ended unseen notifies the person who started it, once, and nobody else', async () => {
  const id = randomUUID()
  await beginImport('bo', id)
  await beginImport('bo', id)
  for (const person of ['ana', 'kim', 'cy'] as const) await endImport(person, id)
  expect(await notificationsOf('bo')).toEqual([])
  await endImport('bo', id)
  await endImport('bo', id)
  expect(await notificationsOf('bo')).toEqual([notification(id, '214 contacts imported, 3 rows skipped')])
  for (const person of ['ana', 'kim', 'eve'] as const) expect(await notificationsOf(person)).toEqual([])
  const { rows } = await scene.owner.query(
    `select private.push_payload(n) as push from notifications n where kind = 'import_ended'`,
  )
  expect(rows[0]?.push).toMatchObject({
    title: 'Import ended',
    body: 'contacts.csv: 214 contacts imported, 3 rows skipped',
    url: `/crm/import-contacts#import-${id}`,
  })
  await scene.owner.query('delete from notifications')
})

it('an import whose end was seen, or that is unknown, notifies nobody; one contact and one row are written in the singular', async () => {
  const [seenImport, singleImport] = [randomUUID(), randomUUID()]
  await beginImport('bo', seenImport)
  await endImport('bo', seenImport, { seen: true })
  await endImport('bo', randomUUID())
  expect(await notificationsOf('bo')).toEqual([])
  await beginImport('bo', singleImport, null)
  await endImport('bo', singleImport, { imported: 1, skipped: 1, complete: false })
  expect(await notificationsOf('bo')).toEqual([
    notification(singleImport, 'Stopped before its end: 1 contact imported, 1 row skipped', 'contacts'),
  ])
  await scene.owner.query('delete from notifications')
})

it('an import that is silent for ten minutes counts as stopped, once, however many servers check; if it continues, its end replaces that notification', async () => {
  const id = randomUUID()
  await beginImport('bo', id)
  await tick(9)
  await scene.as('bo')(`select import_contacts($1, $2, '[{"row": 2, "email": "zoe@example.com"}]')`, [scene.acme, id])
  await tick(9)
  expect(await notificationsOf('bo')).toEqual([])
  await tick(2)
  await tick(2)
  expect(await notificationsOf('bo')).toEqual([notification(id, 'Stopped before its end: 1 contact imported')])
  // The import continues, and stops again.
  await scene.owner.query('delete from notifications')
  await beginImport('bo', id)
  await tick(11)
  expect(await notificationsOf('bo')).toEqual([notification(id, 'Stopped before its end: 1 contact imported')])
  await endImport('bo', id, { imported: 2, skipped: 0 })
  expect(await notificationsOf('bo')).toEqual([notification(id, '2 contacts imported')])
  await beginImport('bo', randomUUID())
  await tick(60 * 24 * 8)
  expect(await runningCount()).toBe(0)
})

it('only members can start and end an import, with plausible numbers of rows; only the last 20 imports of a person in a brand count as running', async () => {
  for (const person of ['eve', 'gus', 'dee'] as const) {
    expect(await refusalOf(beginImport(person, randomUUID()))).toMatch(/NOT_AUTHORIZED/)
    expect(await refusalOf(endImport(person, randomUUID()))).toMatch(/NOT_AUTHORIZED/)
  }
  expect(await refusalOf(beginImport('nobody', randomUUID()))).toMatch(/^42501/)
  expect(await refusalOf(beginImport('bo', null))).toMatch(/^22023/)
  for (const outcome of [{ imported: -1 }, { imported: null }, { skipped: 100_000_000 }])
    expect(await refusalOf(endImport('bo', randomUUID(), outcome))).toMatch(/^22023/)
  for (let i = 0; i < 22; i++) await beginImport('bo', randomUUID(), 'x'.repeat(1000))
  expect(await runningCount()).toBe(20)
})
