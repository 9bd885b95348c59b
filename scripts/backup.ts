/** `npm run backup -- FILE`: writes a snapshot of all data to one file. The server may be running. */
import { isAbsolute, join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#server/config.ts'
import { backUp } from '#server/db/backup.ts'
import { openForTool } from '#server/db/open-for-tool.ts'

const [fileArgument] = process.argv.slice(2)
if (fileArgument === undefined) {
  console.error('Usage: npm run backup -- FILE')
  process.exit(1)
}

try {
  // npm runs scripts in the project's folder; the file name is relative to the folder in which the user called npm.
  const file = isAbsolute(fileArgument) ? fileArgument : join(process.env.INIT_CWD ?? process.cwd(), fileArgument)
  const { databaseUrl, dataDir } = readConfig(process.env)
  const database = await openForTool({ databaseUrl, dataDir, log: pino({ level: 'silent' }) })
  try {
    const { tables, rows } = await backUp({ connection: database.connection, dataDir, file })
    console.log(`${file}: ${rows} rows of ${tables} tables and the keys. Keep it private: it holds everything.`)
  } finally {
    await database.close()
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
