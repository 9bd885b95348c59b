/** `npm run admin -- COMMAND`: the operator's commands for accounts and signing keys. `--help` lists them. */
import { parseArgs } from 'node:util'
import {
  blockAccount,
  confirmAddress,
  deleteFactors,
  endSessions,
  listAccounts,
  listSessions,
  type Operator,
  readAudit,
  resetPassword,
} from '#server/auth/admin/operator.ts'
import { rotateKeys } from '#server/auth/keys.ts'
import { readConfig } from '#server/config.ts'
import { formatTable } from './admin/table.ts'
import { withOperator } from './admin/with-operator.ts'

interface CommandArguments {
  /** The arguments after the name of the command. */
  words: string[]
  /** True if the option `--end` is given. */
  end: boolean
}

interface Command {
  usage: string
  help: string
  /** Minimum number of arguments. */
  needs?: number
  run: (operator: Operator, commandArguments: CommandArguments) => Promise<string>
}

const commands: Readonly<Record<string, Command>> = {
  users: {
    usage: 'users [TEXT]',
    help: 'Lists the accounts whose e-mail address contains TEXT, newest first.',
    run: async (operator, { words }) => formatTable(await listAccounts(operator, words[0] ?? '')),
  },
  sessions: {
    usage: 'sessions EMAIL [--end]',
    help: 'Lists the sessions of the account. With --end it is signed out everywhere at once.',
    needs: 1,
    run: async (operator, { words: [email = ''], end }) =>
      end ? `${await endSessions(operator, email)} sessions ended.` : formatTable(await listSessions(operator, email)),
  },
  'reset-password': {
    usage: 'reset-password EMAIL',
    help: 'Prints a link for setting a new password. It works once, within an hour. Make sure that nobody else reads it.',
    needs: 1,
    run: (operator, { words: [email = ''] }) => resetPassword(operator, email),
  },
  'confirm-email': {
    usage: 'confirm-email EMAIL',
    help: 'Marks the e-mail address as confirmed, as if the person had clicked the link in the mail.',
    needs: 1,
    run: async (operator, { words: [email = ''] }) => {
      await confirmAddress(operator, email)
      return `${email} is confirmed.`
    },
  },
  'remove-factor': {
    usage: 'remove-factor EMAIL [NAME]',
    help: 'Removes the second factor with that name; without a name, all factors and the recovery codes. First make sure that the owner of the account asks for it.',
    needs: 1,
    run: async (operator, { words: [email = '', name] }) => `${await deleteFactors(operator, email, name)} removed.`,
  },
  block: {
    usage: 'block EMAIL',
    help: 'The account can no longer sign in, and is signed out everywhere. Its data stays.',
    needs: 1,
    run: async (operator, { words: [email = ''] }) => {
      await blockAccount(operator, email, true)
      return `${email} is blocked.`
    },
  },
  unblock: {
    usage: 'unblock EMAIL',
    help: 'The account can sign in again.',
    needs: 1,
    run: async (operator, { words: [email = ''] }) => {
      await blockAccount(operator, email, false)
      return `${email} can sign in again.`
    },
  },
  audit: {
    usage: 'audit EMAIL',
    help: 'Prints the last 100 lines of the audit log about this account.',
    needs: 1,
    run: async (operator, { words: [email = ''] }) => formatTable(await readAudit(operator, email, 100)),
  },
}

const rotateKeysCommand = {
  usage: 'rotate-keys [--now]',
  help: 'Creates a new key for access tokens. Running servers use it within seconds. Tokens of the old key stay valid until they\nexpire (an hour). With --now they are refused at once, and every device renews its token. Nobody is signed out.',
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, end: { type: 'boolean' }, now: { type: 'boolean' } },
  })
  const [name, ...words] = positionals
  if (name === undefined) return print(overview())
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const documentedCommand = name === 'rotate-keys' ? rotateKeysCommand : command
  if (documentedCommand === undefined) throw new Error(`There is no command ${name}.\n\n${overview()}`)
  if (values.help) return print(`npm run admin -- ${documentedCommand.usage}\n\n${documentedCommand.help}`)
  const config = readConfig(process.env)
  if (command === undefined) {
    const kid = await rotateKeys(config.dataDir, { now: values.now === true })
    return print(`Servers with this data directory sign with key ${kid} within seconds, without a restart.`)
  }
  if (words.length < (command.needs ?? 0)) throw new Error(`Usage: npm run admin -- ${command.usage}`)
  const commandArguments = { words, end: values.end === true }
  print(await withOperator(config, (operator) => command.run(operator, commandArguments)))
}

function overview(): string {
  const lines = [...Object.values(commands), rotateKeysCommand].map(({ usage }) => `  npm run admin -- ${usage}`)
  return ['Commands (each with --help):', ...lines].join('\n')
}

function print(text: string): void {
  console.log(text)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
