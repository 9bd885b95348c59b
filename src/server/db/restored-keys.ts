import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { isConnectionLoss } from './connection-loss.ts'

interface RestoredFile {
  /** Content from the backup. */
  content: Buffer
  final: string
  draft: string
  /** Content of the file that the restore replaces. Null if there is none, or if it equals `content`. */
  replaced: Buffer | null
}

/**
 * Throws an error that says what to do if the keys of a backup (content in base64, by file name) cannot be stored in `dataDir`, or if they differ
 * from those in `dataDir`, which may not be replaced (`mayReplaceKeys`). Writes nothing.
 */
export function assertKeysCanBeStored(
  dataDir: string,
  keys: ReadonlyMap<string, string>,
  mayReplaceKeys: boolean,
): void {
  const files = restoredFiles(dataDir, keys)
  for (const { final, draft, replaced } of files) {
    for (const path of [final, draft]) if (isDirectory(path)) throw directoryError(path)
    if (!mayReplaceKeys && replaced !== null) throw otherKeysError(final)
  }
  if (files.length > 0 && isDirectory(dataDir)) accessSync(dataDir, constants.W_OK | constants.X_OK)
}

/**
 * Commits the open transaction of a restore and puts the keys of its backup (content in base64, by file name) into `dataDir`. The
 * keys are drafts until the commit, so that the former keys stay if the commit fails. If `dataDir` has other keys, keeps a copy
 * of them with `mayReplaceKeys`, and otherwise throws before the commit. Returns the paths of the copies. Throws an error that
 * says what to do if the outcome of the commit is unknown, or if the data is restored without its keys.
 */
export async function commitWithKeys(
  client: ClientBase,
  dataDir: string,
  keys: ReadonlyMap<string, string>,
  mayReplaceKeys: boolean,
): Promise<string[]> {
  const files = restoredFiles(dataDir, keys)
  // Checked again, because another program may have written keys during the load.
  if (!mayReplaceKeys) for (const { final, replaced } of files) if (replaced !== null) throw otherKeysError(final)
  const renamings = files.map(({ draft, final }) => `rename ${draft} to ${final}`).join(', ')
  const copies = new Map(
    files.flatMap(({ final, replaced }) => (replaced ? [[copyPath(final, replaced), replaced]] : [])),
  )
  const newCopies = [...copies].filter(([path]) => contentOf(path) === null)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const removeNewFiles = () => {
    for (const path of [...files.map(({ draft }) => draft), ...newCopies.map(([path]) => path)])
      rmSync(path, { force: true })
  }
  try {
    for (const [path, content] of newCopies) writeFileSync(path, content, { mode: 0o600, flush: true })
    for (const { draft, content } of files) writeFileSync(draft, content, { mode: 0o600, flush: true })
  } catch (error) {
    removeNewFiles()
    throw error
  }
  try {
    await client.query('commit')
  } catch (error) {
    if (isConnectionLoss(error))
      throw new Error(
        `The connection was lost during the commit. Restore again. If the database is not empty then, the data is restored: ${renamings}, and start the server.`,
        { cause: error },
      )
    removeNewFiles()
    throw error
  }
  try {
    for (const { draft, final } of files) renameSync(draft, final)
  } catch (error) {
    throw new Error(
      `The data is restored, but not its keys: ${String(error)}. Before the server starts, ${renamings}.`,
      {
        cause: error,
      },
    )
  }
  return [...copies.keys()]
}

function restoredFiles(dataDir: string, keys: ReadonlyMap<string, string>): RestoredFile[] {
  return [...keys].map(([name, base64]) => {
    const content = Buffer.from(base64, 'base64')
    const final = join(dataDir, name)
    const former = contentOf(final)
    const replaced = former === null || former.equals(content) ? null : former
    return { content, final, draft: join(dataDir, `${name}.restored`), replaced }
  })
}

/** Returns the content of a file. Returns null if there is no file of this name. */
function contentOf(path: string): Buffer | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : null
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Returns a path for a copy of the key file `final`. It is unused, or a file with this content: copies of earlier restores are not overwritten. */
function copyPath(final: string, content: Buffer): string {
  for (let number = 1; ; number++) {
    const path = `${final}.before-restore${number === 1 ? '' : `-${number}`}`
    if (!isDirectory(path) && (contentOf(path)?.equals(content) ?? true)) return path
  }
}

function directoryError(path: string): Error {
  return new Error(
    `${path} is a directory, so the keys cannot be stored there. Nothing was restored. Move it away, then restore again.`,
  )
}

function otherKeysError(path: string): Error {
  return new Error(
    `${path} has other keys than the backup. A server of another database may use them, so nothing was restored. Set DATA_DIR to a new directory; or, if no server needs these keys, move ${path} away. If they are the keys of this installation, which were rotated after the backup, move the file back after the restore.`,
  )
}
