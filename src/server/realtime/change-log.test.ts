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
async function readAllPages(from: LogCursor) {
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
  const start = await readLogEnd(owner)
  const openTransaction = await owner.connect()
  await openTransaction.query('begin')
  await openTransaction.query(appendSql, ['late', 1, 2])
  await owner.query(appendSql, ['big', 1, 600])
  const firstPage = await readLog(owner, start)
  expect(firstPage.entries).toHaveLength(250)
  // This transaction commits between two pages. Its entries have lower numbers than the current page, but are returned only by
  // the next complete read.
  await openTransaction.query('commit')
  openTransaction.release()
  await appendToTopic(owner, 'B', 'after', 'x')
  const laterPages = await readAllPages(firstPage.cursor)
  expect(laterPages.pages.map((page) => page.length)).toEqual([250, 100])
  expect([...firstPage.entries.map(({ topic, record }) => `${topic} ${record}`), ...laterPages.pages.flat()]).toEqual(
    Array.from({ length: 600 }, (_, i) => `big ${i + 1}`),
  )
  const nextRead = await readAllPages(laterPages.cursor)
  expect(nextRead.pages).toEqual([['late 1', 'late 2', 'after "x"']])
  expect((await readAllPages(nextRead.cursor)).pages).toEqual([[]])
})

test('after a page of the change log that is exactly full, an empty page follows', async () => {
  const start = await readLogEnd(database.owner)
  await database.owner.query(appendSql, ['even', 1, 500])
  expect((await readAllPages(start)).pages.map((page) => page.length)).toEqual([250, 250, 0])
})
