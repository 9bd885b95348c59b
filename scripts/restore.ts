/** `npm run restore -- FILE`: restores a backup into an empty database. The server must not run. */
import { existsSync } from 'node:fs'
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { clusterDirectory } from '#server/db/embedded.ts'
import { nameLostDatabase } from '#server/db/lost-database.ts'
import { openForRestore, type ToolDatabase } from '#server/db/open-for-tool.ts'
import { platformMigrations, productMigrations } from '#server/db/project-root.ts'
import { restore } from '#server/db/restore.ts'
import { describeFileFailure, readFileArgument } from './file-argument.ts'

const file = readFileArgument('restore', 'Restores a backup into an empty database. The server must not run.')

let database: ToolDatabase | undefined
try {
  const { databaseUrl, dataDir } = readConfig(process.env)
  const hadCluster = existsSync(clusterDirectory(dataDir))
  const options = {
    async connect() {
      database = await openForRestore({ databaseUrl, dataDir, log: pino({ level: 'silent' }) })
      return database.connection
    },
    dataDir,
    file,
    sources: [platformMigrations(), productMigrations()],
    // Keys without an embedded database beside them may belong to a server of an external database.
    mayReplaceKeys: databaseUrl === undefined && hadCluster,
  }
  const { tables, rows, hasKeys, copiesOfKeys } = await nameLostDatabase({ databaseUrl, dataDir }, () =>
    restore(options),
  )
  console.log(`${file}: ${rows} rows of ${tables} tables restored.`)
  if (!hasKeys)
    console.log(
      `It contains no keys: before the start, copy keys.json of the original server into ${dataDir}. With other keys everybody is signed out, and accounts with an authenticator app need \`npm run admin -- remove-factor\`.`,
    )
  for (const copy of copiesOfKeys)
    console.log(`${dataDir} had other keys. They are kept in ${copy}. Remove this file if nothing needs them.`)
  console.log('Start the server with `npm start`.')
} catch (error) {
  console.error(describeFileFailure(error, file, 'read'))
  process.exitCode = 1
} finally {
  await database?.close()
}
