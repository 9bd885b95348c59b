import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'
import type { CallerContext, Statement } from './as-caller.ts'
import { externalConnection } from './external-database.ts'
import { RequestConnection } from './request-connection.ts'

let database: TestDatabase
let connection: RequestConnection

beforeEach(async () => {
  database = await testDatabase({ empty: true })
  await database.owner.query('create table things (id int primary key, part int unique deferrable initially deferred)')
  connection = await RequestConnection.open(externalConnection(database.url), () => {})
})
afterEach(async () => {
  connection.close()
  await database.drop()
})

function run(statements: Statement[], more: Partial<CallerContext> = {}) {
  const context = {
    role: 'postgres',
    claims: '{}',
    headers: '{}',
    method: 'POST',
    path: '/',
    timeoutMs: 5_000,
    ...more,
  }
  return connection.run({ ...context, commitsAfterResult: true }, statements, false)
}

const sql = (text: string, ...values: unknown[]): Statement => ({ text, values })
const insert = (id: number, part: number, bytes = 1) =>
  sql(`insert into things values ($1, $2) returning repeat('x', ${bytes}) as t`, id, part)

async function ids(): Promise<number[]> {
  return (await database.owner.query('select id from things order by id')).rows.map(({ id }) => id)
}

it('a batch that commits after its result returns the results of all statements, and is committed', async () => {
  const results = await run([insert(1, 1), sql(''), insert(2, 2)])
  expect(results.map(({ rowCount }) => rowCount)).toEqual([1, 0, 1])
  expect(await ids()).toEqual([1, 2])
})

it('a batch that commits after its result changes nothing if the result is refused', async () => {
  await expect(run([insert(1, 1, 60_000)], { takeBytes: () => false })).rejects.toMatchObject({ reason: 'busy' })
  expect(connection.isAbandoned).toBe(true)
  expect(await ids()).toEqual([])
})

it('the messages of the commit are not refused, however many bytes came before them', async () => {
  await database.owner.query(`
    create function say() returns trigger language plpgsql as $$ begin raise notice '%', repeat('n', 500); return null; end $$;
    create constraint trigger say after insert on things deferrable initially deferred for each row execute function say()`)
  // About 16,100 bytes arrive before the commit. They are not counted, because counting begins above 16 KiB (16,384 bytes).
  // The notice of the trigger raises the sum above this limit.
  expect(await run([insert(1, 1, 16_000)], { takeBytes: () => false })).toHaveLength(1)
  expect(await ids()).toEqual([1])
})

it('after a failed statement or a failed commit the connection runs the next batch', async () => {
  await run([insert(1, 1)])
  await expect(run([insert(2, 2), insert(1, 3), insert(4, 4)])).rejects.toMatchObject({ code: '23505' })
  await expect(run([insert(2, 1)])).rejects.toMatchObject({ code: '23505' })
  await expect(run([sql('select nonsense')])).rejects.toMatchObject({ code: '42703' })
  await expect(run([sql('select $1', { big: 1n })])).rejects.toThrow('BigInt')
  const [result] = await run([insert(3, 3)])
  expect(result?.rows).toEqual([{ t: 'x' }])
  expect(await ids()).toEqual([1, 3])
})
