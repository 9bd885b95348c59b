import { expect } from 'vitest'
import type { TestServer } from './server.ts'

/** Runs a query on a server's database as the owner role, and returns its rows. */
export async function query<Row = Record<string, unknown>>(
  server: TestServer,
  sql: string,
  ...values: unknown[]
): Promise<Row[]> {
  const { rows } = await (server.database?.owner.query(sql, values) ?? expect.fail('no database'))
  return rows as Row[]
}
