/** `npm run backup -- FILE`: writes a snapshot of all data to one file. The server may be running. */
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { backUp } from '#server/db/backup.ts'
import { nameLostDatabase } from '#server/db/lost-database.ts'
import { openForTool } from '#server/db/open-for-tool.ts'
import { describeFileFailure, readFileArgument } from './file-argument.ts'

const file = readFileArgument('backup', 'Writes a snapshot of all data to FILE. The server may be running.')

try {
  const { databaseUrl, dataDir } = readConfig(process.env)
  const { tables, rows } = await nameLostDatabase({ databaseUrl, dataDir }, async () => {
    const database = await openForTool({ databaseUrl, dataDir, log: pino({ level: 'silent' }) })
    try {
      return await backUp({ connection: database.connection, dataDir, file })
    } finally {
      await database.close()
    }
  })
  console.log(`${file}: ${rows} rows of ${tables} tables and the keys. Keep it private: it holds everything.`)
} catch (error) {
  console.error(describeFileFailure(error, file, 'write'))
  process.exit(1)
}
