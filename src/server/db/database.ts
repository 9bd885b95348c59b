import { Pool } from 'pg'
import type { Logger } from 'pino'
import type { RequestDatabase } from './as-caller.ts'
import { watchDiskSpace } from './disk-space.ts'
import { openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { externalConnection, externalLogin } from './postgres.ts'
import { platformMigrations, productMigrations } from './project-root.ts'
import { ensureRequestLogin } from './request-login.ts'
import { RequestPool } from './request-pool.ts'
import { callHook } from './product-hooks.ts'

/** The open database: what the protocols stand on. */
export interface Database {
  /** On behalf of callers: the only way for requests. */
  requests: RequestDatabase
  /** The owner: auth tables, catalogue, migrations. Never for a request's own SQL. */
  owner: Pool
  /** Whether the database answers now. */
  ready(): Promise<boolean>
  /** Rises with every reconnect: what was cached of the schema must be read anew. */
  readonly generation: number
  /** What the connections of each pool do, and how many wait for one. */
  figures(): Record<'requests' | 'owner', PoolFigures>
  close(): Promise<void>
  majorVersion: number
}

export interface PoolFigures {
  busy: number
  idle: number
  waiting: number
}

export interface DatabaseConfig {
  /** An existing PostgreSQL 15 or newer, by its owner role; without it the embedded one in `dataDir` is started. */
  databaseUrl?: string | undefined
  /** Absolute. */
  dataDir: string
  log: Logger
  /** False: without the product's own migrations, for tests of the server alone. */
  product?: boolean
}

const OLDEST_MAJOR_VERSION = 15
/** Milliseconds for a connection of ours to be there. */
const CONNECT_MS = 5_000

/**
 * Opens the database: starts the embedded one where no URL is given, migrates, and makes the login that requests use.
 * Throws one clear line where that cannot be.
 */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  const { databaseUrl, dataDir, log } = config
  const embedded = databaseUrl === undefined ? await openEmbedded({ dataDir, log }) : null
  const connection = {
    ...(embedded?.connection ?? externalConnection(databaseUrl as string)),
    connectionTimeoutMillis: CONNECT_MS,
  }
  const owner = new Pool({ ...connection, application_name: 'banyan owner', max: 6, idleTimeoutMillis: 10_000 })
  owner.on('error', (error) => log.debug({ reason: error.message }, 'a connection of the owner was lost'))
  // The pool listens to idle connections only. One that is lost inside a transaction fails its query as well.
  owner.on('connect', (client) => client.on('error', () => {}))
  try {
    const majorVersion = await checkVersion(owner)
    await migrate(
      owner,
      config.product === false ? [platformMigrations()] : [platformMigrations(), productMigrations()],
    )
    const login = embedded ? { role: 'banyan_requests', password: null } : externalLogin(dataDir)
    await ensureRequestLogin(owner, login.role, login.password)
    await callHook(owner, 'on_server_start')

    let generation = 1
    const requests = new RequestPool({
      connection: {
        ...connection,
        user: login.role,
        password: login.password ?? undefined,
        application_name: 'banyan requests',
      },
      log,
      onReconnect() {
        generation++
        log.info('the database is back')
      },
    })
    await requests.warm()
    const endWatch = embedded
      ? watchDiskSpace(dataDir, log, (full) => {
          requests.readOnly = full
        })
      : () => {}
    return {
      requests,
      owner,
      majorVersion,
      get generation() {
        return generation
      },
      figures: () => ({
        requests: requests.figures,
        owner: { busy: owner.totalCount - owner.idleCount, idle: owner.idleCount, waiting: owner.waitingCount },
      }),
      ready: async () => !requests.isAway && (await answers(owner)),
      async close() {
        endWatch()
        await requests.close()
        await owner.end()
        await embedded?.close()
      },
    }
  } catch (error) {
    await owner.end()
    await embedded?.close()
    throw error
  }
}

async function checkVersion(owner: Pool): Promise<number> {
  const { rows } = await owner.query<{ server_version_num: string }>('show server_version_num')
  const majorVersion = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (majorVersion < OLDEST_MAJOR_VERSION) {
    throw new Error(
      `DATABASE_URL leads to PostgreSQL ${majorVersion}; version ${OLDEST_MAJOR_VERSION} or newer is needed.`,
    )
  }
  return majorVersion
}

async function answers(owner: Pool): Promise<boolean> {
  try {
    await owner.query('select 1')
    return true
  } catch {
    return false
  }
}
