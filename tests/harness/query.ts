import { expect } from 'vitest'
import type { TestServer } from './server.ts'

/** Rows of a server's database, read by its owner. */
export async function query<Row = Record<string, unknown>>(
  server: TestServer,
  sql: string,
  ...values: unknown[]
): Promise<Row[]> {
  const { rows } = await (server.database?.owner.query(sql, values) ?? expect.fail('no database'))
  return rows as Row[]
}
