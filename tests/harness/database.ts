import { randomBytes } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { migrate } from '#server/db/migrate.ts'
import type { MigrationSource } from '#server/db/migration-files.ts'
import { platformMigrations, productMigrations } from '#server/db/project-root.ts'
import { recordCalledFunctions } from './called-functions.ts'
import { ownerPool, testCluster } from './test-cluster.ts'

export interface TestDatabase {
  /** For `DATABASE_URL`: connects as the owner role (superuser `postgres`) over a unix socket. */
  url: string
  owner: Pool
  /** Closes every connection and drops the database. */
  drop(): Promise<void>
}

export interface TestDatabaseOptions {
  /** True (default) for all migrations, false for only those of the platform (src/server/db/platform). */
  product?: boolean
  /** True for a database without migrations, for tests of migrations and restores. */
  empty?: boolean
}

/**
 * Creates a database in the real PostgreSQL of the test run, as a copy of a migrated template, or without migrations (`empty`).
 * Works in parallel workers, in vitest, Playwright and scripts.
 */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const socket = await testCluster()
  const template = options.empty ? 'template0' : await migratedTemplate(socket, options.product ?? true)
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdministrator(socket, (admin) =>
    admin.query(`create database ${name} template ${template} strategy file_copy`),
  )
  const owner = ownerPool(socket, name)
  return {
    url: `postgres://postgres@localhost/${name}?host=${encodeURIComponent(socket)}`,
    owner,
    async drop() {
      await owner.end()
      await recordCalledFunctions(socket, name)
      await asAdministrator(socket, (admin) => admin.query(`drop database if exists ${name} with (force)`))
    },
  }
}

/** Creates the template once per run, in the first worker that needs it, and returns its name. */
async function migratedTemplate(socket: string, product: boolean): Promise<string> {
  const name = product ? 'banyan_product' : 'banyan_platform'
  const sources: MigrationSource[] = product ? [platformMigrations(), productMigrations()] : [platformMigrations()]
  await asAdministrator(socket, async (admin) => {
    // Creates one template at a time, because the platform's roles belong to the whole cluster.
    await admin.query('select pg_advisory_lock(1)')
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    const draft = `${name}_draft_${randomBytes(4).toString('hex')}`
    await admin.query(`create database ${draft} template template0`)
    const owner = ownerPool(socket, draft, 1)
    try {
      await migrate(owner, sources)
    } finally {
      await owner.end()
    }
    await admin.query(`alter database ${draft} rename to ${name}`)
  })
  return name
}

async function asAdministrator<T>(socket: string, work: (admin: PoolClient) => Promise<T>): Promise<T> {
  const pool = ownerPool(socket, 'postgres', 1)
  try {
    const client = await pool.connect()
    try {
      return await work(client)
    } finally {
      client.release()
    }
  } finally {
    // Ends the session, which releases the advisory lock.
    await pool.end()
  }
}
