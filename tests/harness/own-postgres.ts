import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareDataDirectory, writeAccessRules } from '#server/db/data-directory.ts'
import { findPostgresBinaries } from '#server/db/postgres-binaries.ts'
import { type Postmaster, startPostmaster } from '#server/db/postmaster.ts'
import { postgresAccount } from '#server/db/system-user.ts'

/** A PostgreSQL that a test may stop, kill and restart, with production durability. */
export interface OwnPostgres {
  /** For `DATABASE_URL`: its database `postgres`, as the owner role. */
  url: string
  start(): Promise<void>
  /** SIGINT: normal stop; SIGQUIT: immediate, without a checkpoint (`pg_ctl stop -m immediate`). */
  stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void>
  remove(): Promise<void>
}

/** Creates and starts a PostgreSQL. */
export async function ownPostgres(): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'banyan-own-'))
  const dataDirectory = join(folder, 'pg')
  const socketDirectory = join(folder, 's')
  mkdirSync(socketDirectory, { mode: 0o700 })
  const user = postgresAccount(dataDirectory)
  if (user) {
    chownSync(folder, user.uid, user.gid)
    chownSync(socketDirectory, user.uid, user.gid)
  }
  const binaries = findPostgresBinaries(user)
  await prepareDataDirectory(dataDirectory, binaries, user)
  writeAccessRules(dataDirectory, user)
  let postmaster: Postmaster | null = null

  async function start(): Promise<void> {
    postmaster = await startPostmaster({
      binaries,
      dataDirectory,
      user,
      settings: {
        listen_addresses: '',
        unix_socket_directories: socketDirectory,
        unix_socket_permissions: '0700',
        shared_buffers: '64MB',
        io_method: 'sync',
        log_min_messages: 'panic',
      },
      onLine: () => {},
    })
  }

  async function stop(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    if (!postmaster) return
    process.kill(postmaster.pid, signal)
    await postmaster.exited
    postmaster = null
  }

  await start()
  return {
    url: `postgres://postgres@localhost/postgres?host=${encodeURIComponent(socketDirectory)}`,
    start,
    stop,
    async remove() {
      await stop('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
