/** `npm run admin -- COMMAND`: the operator's commands for accounts and signing keys. `--help` lists them. */
import { describeFailure } from '#server/start-failure.ts'
import { runAdmin } from './admin/run-admin.ts'

try {
  console.log(await runAdmin(process.argv.slice(2), process.env))
} catch (error) {
  console.error(describeFailure(error))
  process.exitCode = 1
}
