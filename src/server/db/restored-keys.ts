import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ClientBase, Pool } from 'pg'
import { keyFiles } from './backup.ts'
import { isConnectionLoss } from './connection-loss.ts'

/**
 * The keys of a backup are written to drafts before the restore commits, and get their final names after it. A crash can
 * leave drafts, with or without the commit. The transaction of the restore therefore records a digest of the drafts in the
 * database, as the comment of the table of migrations. `settleRestoredKeys` compares it with the drafts. The comment is removed
 * when the keys have their final names.
 */
function proofOf(dataDir: string, names: readonly string[]): string {
  const digest = createHash('sha256')
  for (const name of names) digest.update(readFileSync(draftOf(dataDir, name)))
  return `restored with the keys ${digest.digest('hex')}`
}

const withoutProof = 'comment on table server.migrations is null'

const draftOf = (dataDir: string, name: string) => join(dataDir, `${name}.restored`)
const draftedIn = (dataDir: string) => keyFiles.filter((name) => existsSync(draftOf(dataDir, name)))

/**
 * Commits the open transaction of a restore, then gives the keys of its backup (content in base64) their final names. If the
 * commit fails, the former keys stay, and the drafts are removed. If the connection is lost during the commit, the outcome is
 * unknown: the drafts then stay until the next start of the server, or the next restore.
 */
export async function commitWithKeys(
  client: ClientBase,
  dataDir: string,
  keys: ReadonlyMap<string, string>,
): Promise<void> {
  try {
    await draftKeys(client, dataDir, keys)
    await client.query('commit').catch((error) => {
      throw isConnectionLoss(error) ? new UnknownOutcomeError(error) : error
    })
  } catch (error) {
    if (!(error instanceof UnknownOutcomeError)) removeKeyDrafts(dataDir)
    throw error
  }
  publishKeys(dataDir)
  await client.query(withoutProof)
}

class UnknownOutcomeError extends Error {
  constructor(cause: unknown) {
    super(
      'The connection was lost during the commit. Restore again. If the database then contains data already, the restore is complete: start the server, which takes the keys of the backup.',
      { cause },
    )
  }
}

/** Writes the key files as drafts to `dataDir`, and records them in the open transaction of `client`. */
async function draftKeys(client: ClientBase, dataDir: string, keys: ReadonlyMap<string, string>): Promise<void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  for (const [name, content] of keys)
    writeFileSync(draftOf(dataDir, name), Buffer.from(content, 'base64'), { mode: 0o600, flush: true })
  flushDirectory(dataDir)
  await client.query(`comment on table server.migrations is '${proofOf(dataDir, draftedIn(dataDir))}'`)
}

/** Gives the drafts in `dataDir` their final names. */
function publishKeys(dataDir: string): void {
  const drafted = draftedIn(dataDir)
  for (const name of drafted) renameSync(draftOf(dataDir, name), join(dataDir, name))
  if (drafted.length > 0) flushDirectory(dataDir)
}

/** Removes the drafts in `dataDir`. The former keys stay valid. */
export function removeKeyDrafts(dataDir: string): void {
  for (const name of keyFiles) rmSync(draftOf(dataDir, name), { force: true })
}

/**
 * Completes a restore that was interrupted: publishes the drafts in `dataDir` if the database was restored with them, and
 * removes them if it was not. Returns whether keys were published. `database`: a connection of the owner role to a migrated
 * database.
 */
export async function settleRestoredKeys(database: Pool, dataDir: string): Promise<boolean> {
  const drafted = draftedIn(dataDir)
  if (drafted.length === 0) return false
  const { rows } = await database.query<{ proof: string | null }>(
    `select obj_description('server.migrations'::regclass, 'pg_class') as proof`,
  )
  const isProved = rows[0]?.proof === proofOf(dataDir, drafted)
  if (isProved) publishKeys(dataDir)
  else removeKeyDrafts(dataDir)
  await database.query(withoutProof)
  return isProved
}

/** Writes the names of a directory's files to the disk, so that they are the same after a loss of power. */
function flushDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
