import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { isConnectionLoss } from './connection-loss.ts'

/**
 * Commits the open transaction of a restore and puts the keys of its backup (content in base64, by file name) into `dataDir`. The
 * keys are drafts until the commit, so that the former keys stay if the commit fails. Throws an error that says what to do if the
 * outcome of the commit is unknown, or if the data is restored without its keys.
 */
export async function commitWithKeys(
  client: ClientBase,
  dataDir: string,
  keys: ReadonlyMap<string, string>,
): Promise<void> {
  const files = [...keys].map(([name, content]) => ({
    content,
    final: join(dataDir, name),
    draft: join(dataDir, `${name}.restored`),
  }))
  const renamings = files.map(({ draft, final }) => `rename ${draft} to ${final}`).join(', ')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    for (const { draft, content } of files)
      writeFileSync(draft, Buffer.from(content, 'base64'), { mode: 0o600, flush: true })
    await client.query('commit')
  } catch (error) {
    if (isConnectionLoss(error))
      throw new Error(
        `The connection was lost during the commit. Restore again. If the database is not empty then, the data is restored: ${renamings}, and start the server.`,
        { cause: error },
      )
    for (const { draft } of files) rmSync(draft, { force: true })
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
}
