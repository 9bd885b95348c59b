import type pg from 'pg'
import type { Logger } from 'pino'
import type { RequestDatabase } from './as-caller.ts'

/** The open database: what the protocols stand on. */
export interface Database {
  /** On behalf of callers: the only way for requests. */
  requests: RequestDatabase
  /** The owner: auth tables, catalogue, migrations. Never for a request's own SQL. */
  owner: pg.Pool
  /** Whether the database answers now. */
  ready(): Promise<boolean>
  /** Rises with every reconnect: what was cached of the schema must be read anew. */
  readonly generation: number
  close(): Promise<void>
  majorVersion: number
}

export interface DatabaseConfig {
  /** An existing PostgreSQL 15 or newer, by its owner role; without it the embedded one in `dataDir` is started. */
  databaseUrl?: string | undefined
  /** Absolute. */
  dataDir: string
  log: Logger
  /** Without the product's own migrations: tests of the server alone. */
  product?: boolean
}

/**
 * Opens the database: starts the embedded one where no URL is given, migrates, and makes the login that requests use.
 * Throws one clear line where that cannot be.
 */
export declare function openDatabase(config: DatabaseConfig): Promise<Database>
