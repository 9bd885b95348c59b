import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'
import { appendToTopic, type LogCursor, readLogEnd, readLog } from './change-log.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ product: false })
})
afterAll(() => database?.drop())

const appendSql = `insert into realtime.changes (kind, topic, record)
  select 'B', $1, to_json(i) from generate_series($2::int, $3::int) as i`

/** Reads all pages after `from`. Returns the entries of each page, and the cursor after the last one. */
async function readOn(from: LogCursor) {
  const pages: string[][] = []
  let cursor = from
  do {
    const page = await readLog(database.owner, cursor)
    cursor = page.cursor
    pages.push(page.entries.map(({ topic, record }) => `${topic} ${record}`))
  } while (cursor.within !== null)
  return { pages, cursor }
}

test('the change log returns the entries of a large write in pages: each entry once and in order, even if other transactions write in between', async () => {
  const { owner } = database
  const edge = await readLogEnd(owner)
  const open = await owner.connect()
  await open.query('begin')
  await open.query(appendSql, ['late', 1, 2])
  await owner.query(appendSql, ['big', 1, 600])
  const first = await readLog(owner, edge)
  expect(first.entries).toHaveLength(250)
  // This transaction commits between two pages. Its entries have lower numbers than the current page, but are returned only by
  // the next complete read.
  await open.query('commit')
  open.release()
  await appendToTopic(owner, 'B', 'after', 'x')
  const rest = await readOn(first.cursor)
  expect(rest.pages.map((page) => page.length)).toEqual([250, 100])
  expect([...first.entries.map(({ topic, record }) => `${topic} ${record}`), ...rest.pages.flat()]).toEqual(
    Array.from({ length: 600 }, (_, i) => `big ${i + 1}`),
  )
  const next = await readOn(rest.cursor)
  expect(next.pages).toEqual([['late 1', 'late 2', 'after "x"']])
  expect((await readOn(next.cursor)).pages).toEqual([[]])
})

test('after a page of the change log that is exactly full, an empty page follows', async () => {
  const edge = await readLogEnd(database.owner)
  await database.owner.query(appendSql, ['even', 1, 500])
  expect((await readOn(edge)).pages.map((page) => page.length)).toEqual([250, 250, 0])
})
