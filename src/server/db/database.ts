import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { RequestDatabase } from './as-caller.ts'
import { watchDiskSpace } from './disk-space.ts'
import { openEmbedded } from './embedded.ts'
import { migrate, underMigrationLock } from './migrate.ts'
import { OwnerRolePool } from './owner-role-pool.ts'
import { externalConnection, externalLogin } from './external-database.ts'
import { platformMigrations, productMigrations } from './project-root.ts'
import { assertMayManageRoles, ensureRequestLogin } from './request-login.ts'
import { RequestPool } from './request-pool.ts'
import { callProductHook } from './product-hooks.ts'
import { UserTeams } from './user-teams.ts'

/** An open database, with the connections that the protocols (REST, auth, live changes) use. */
export interface Database {
  /** Runs SQL as a caller. All SQL of requests runs in this way. */
  requests: RequestDatabase
  /** Connections of the owner role, for auth tables, the catalogue and migrations. They never run a request's own SQL. */
  owner: Pool
  /**
   * Separate connections of the owner role, for live changes and for `ready`. With them, many sign-ins do not delay live
   * changes.
   */
  live: Pool
  /** Returns whether the database answers now. */
  ready(): Promise<boolean>
  /** Increases with every reconnect. After a reconnect, everything that was read about the schema must be read again. */
  readonly generation: number
  /** Returns the numbers of connections and of waiting requests of each pool. */
  figures(): Record<'requests' | 'owner' | 'live', PoolFigures>
  /**
   * Returns whether the database is overloaded, and how many requests were refused since the start because they had waited too
   * long, or would have had to wait too long.
   */
  overload(): RequestPool['overload']
  close(): Promise<void>
  majorVersion: number
}

export interface PoolFigures {
  busy: number
  idle: number
  waiting: number
}

export interface DatabaseConfig {
  /**
   * URL of an existing PostgreSQL 15 or newer, with its owner role. Without a URL the embedded PostgreSQL in `dataDir` is
   * started.
   */
  databaseUrl?: string | undefined
  /** The data directory (absolute path). */
  dataDir: string
  log: Logger
  /** Whether the product's migrations (supabase/migrations) are applied. False only for tests of the server alone. Default: true. */
  product?: boolean
}

const oldestMajorVersion = 15
/** Timeout of opening a connection. */
const connectTimeoutMs = 5_000

/**
 * Opens the database: starts the embedded PostgreSQL if no URL is given, migrates, and creates the login role for
 * requests. Throws an error with one line that says what to do.
 */
export async function openDatabase(config: DatabaseConfig): Promise<Database> {
  const { databaseUrl, dataDir, log } = config
  const embedded = databaseUrl === undefined ? await openEmbedded({ dataDir, log }) : null
  const connection = {
    ...(embedded?.connection ?? externalConnection(databaseUrl as string)),
    connectionTimeoutMillis: connectTimeoutMs,
  }
  const owner = new OwnerRolePool({ ...connection, application_name: 'banyan owner', max: 6 }, log)
  const live = new OwnerRolePool({ ...connection, application_name: 'banyan live', max: 2 }, log)
  try {
    const majorVersion = await requireSupportedVersion(owner)
    await assertMayManageRoles(owner, majorVersion)
    await migrate(
      owner,
      config.product === false ? [platformMigrations()] : [platformMigrations(), productMigrations()],
    )
    const login = embedded ? { role: 'banyan_requests', password: null } : externalLogin(dataDir)
    await underMigrationLock(owner, async (client) => {
      await ensureRequestLogin(client, login.role, login.password)
      await callProductHook(client, 'on_server_start')
    })

    let generation = 1
    const teams = new UserTeams(owner)
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
        log.info('the database is reachable again')
      },
      teamOf: (user) => teams.of(user),
    })
    await requests.warm()
    let runningCheck: Promise<boolean> | null = null
    const endWatch = embedded
      ? watchDiskSpace(dataDir, log, (isFull) => {
          requests.isReadOnly = isFull
        })
      : () => {}
    return {
      requests,
      owner,
      live,
      majorVersion,
      get generation() {
        return generation
      },
      figures: () => ({
        requests: requests.figures,
        owner: figuresOf(owner),
        live: figuresOf(live),
      }),
      overload: () => requests.overload,
      async ready() {
        // Concurrent calls share one query, because `/readyz` is public: anybody may request it often.
        runningCheck ??= isAnswering(live).finally(() => {
          runningCheck = null
        })
        return !requests.isUnreachable && (await runningCheck)
      },
      async close() {
        endWatch()
        await requests.close()
        teams.close()
        await Promise.all([owner.end(), live.end()])
        await embedded?.close()
      },
    }
  } catch (error) {
    await Promise.all([owner.end(), live.end()])
    await embedded?.close()
    throw error
  }
}

function figuresOf({ totalCount, idleCount, waitingCount }: Pool): PoolFigures {
  return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

/** Returns PostgreSQL's major version. Throws an error if it is older than `oldestMajorVersion`. */
async function requireSupportedVersion(owner: Pool): Promise<number> {
  const { rows } = await owner.query<{ server_version_num: string }>('show server_version_num')
  const majorVersion = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (majorVersion < oldestMajorVersion) {
    throw new Error(
      `DATABASE_URL leads to PostgreSQL ${majorVersion}; version ${oldestMajorVersion} or newer is required.`,
    )
  }
  return majorVersion
}

async function isAnswering(pool: Pool): Promise<boolean> {
  try {
    await pool.query('select 1')
    return true
  } catch {
    return false
  }
}
