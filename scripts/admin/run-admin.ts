import {
  setAccountBlocked,
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
import { nameLostDatabase } from '#server/db/lost-database.ts'
import { assertHasTable } from '#server/db/server-tables.ts'
import { type CommandArguments, type Signature, readArguments } from './read-arguments.ts'
import { formatTable } from './table.ts'
import { withOperator } from './with-operator.ts'

/**
 * Runs `npm run admin -- ARGUMENTS` with the settings of `environment`. Returns the text to print. Throws an error with the usage if the arguments
 * do not fit the command; then nothing is changed.
 */
export async function runAdmin(
  args: readonly string[],
  environment: Record<string, string | undefined>,
): Promise<string> {
  const isHelp = args.some((argument) => argument === '--help' || argument === '-h')
  const name = args.find((argument) => !argument.startsWith('-'))
  const [option] = args
  if (name === undefined && option !== undefined && !isHelp)
    throw new Error(`Unknown option ${option}.\n\n${overview()}`)
  if (name === undefined) return overview()
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const documentedCommand = name === 'rotate-keys' ? rotateKeysCommand : command
  if (documentedCommand === undefined) throw new Error(`There is no command ${name}.\n\n${overview()}`)
  if (isHelp) return `npm run admin -- ${documentedCommand.usage}\n\n${documentedCommand.help}`
  const commandArguments = readArguments(args, documentedCommand)
  const config = readConfig(environment)
  if (command !== undefined)
    return nameLostDatabase(config, () =>
      withOperator(config, async (operator) => {
        await assertHasTable(operator.db, 'auth.users')
        return command.run(operator, commandArguments)
      }),
    )
  return rotate(config.dataDir, commandArguments.options.has('now'))
}

interface Command extends Signature {
  help: string
  run: (operator: Operator, commandArguments: CommandArguments) => Promise<string>
}

const commands: Readonly<Record<string, Command>> = {
  users: {
    usage: 'users [TEXT]',
    help: 'Lists the accounts whose e-mail address contains TEXT, newest first.',
    maxWords: 1,
    run: async (operator, { words }) => formatTable(await listAccounts(operator, words[0] ?? '')),
  },
  sessions: {
    usage: 'sessions EMAIL [--end]',
    help: 'Lists the sessions of the account. With --end it is signed out everywhere at once.',
    minWords: 1,
    maxWords: 1,
    options: ['end'],
    run: async (operator, { words: [email = ''], options }) =>
      options.has('end')
        ? describeEndedSessions(await endSessions(operator, email))
        : formatTable(await listSessions(operator, email)),
  },
  'reset-password': {
    usage: 'reset-password EMAIL',
    help: 'Prints a link for setting a new password. It works once, within an hour. Make sure that nobody else reads it.',
    minWords: 1,
    maxWords: 1,
    run: (operator, { words: [email = ''] }) => resetPassword(operator, email),
  },
  'confirm-email': {
    usage: 'confirm-email EMAIL',
    help: 'Marks the e-mail address as confirmed, as if the person had clicked the link in the mail.',
    minWords: 1,
    maxWords: 1,
    run: async (operator, { words: [email = ''] }) => {
      await confirmAddress(operator, email)
      return `${email} is confirmed.`
    },
  },
  'remove-factor': {
    usage: 'remove-factor EMAIL [NAME]',
    help: 'Removes the second factor with that name; without a name, all factors and the recovery codes. First make sure that the owner of the account asks for it.',
    minWords: 1,
    maxWords: 2,
    run: async (operator, { words: [email = '', name] }) => `${await deleteFactors(operator, email, name)} removed.`,
  },
  block: {
    usage: 'block EMAIL',
    help: 'The account can no longer sign in, and is signed out everywhere. Its data stays.',
    minWords: 1,
    maxWords: 1,
    run: async (operator, { words: [email = ''] }) => {
      await setAccountBlocked(operator, email, true)
      return `${email} is blocked.`
    },
  },
  unblock: {
    usage: 'unblock EMAIL',
    help: 'The account can sign in again.',
    minWords: 1,
    maxWords: 1,
    run: async (operator, { words: [email = ''] }) => {
      await setAccountBlocked(operator, email, false)
      return `${email} can sign in again.`
    },
  },
  audit: {
    usage: 'audit EMAIL',
    help: 'Prints the last 100 lines of the audit log about this account.',
    minWords: 1,
    maxWords: 1,
    run: async (operator, { words: [email = ''] }) => formatTable(await readAudit(operator, email, 100)),
  },
}

/** Not in `commands`, because it needs no database. */
const rotateKeysCommand = {
  usage: 'rotate-keys [--now]',
  help: 'Creates a new key for access tokens. Running servers use it within seconds. Tokens of the old key stay valid until they\nexpire (an hour). With --now they are refused at once, and every device renews its token. Nobody is signed out.',
  maxWords: 0,
  options: ['now'],
}

async function rotate(dataDir: string, refusesOldTokens: boolean): Promise<string> {
  const kid = await rotateKeys(dataDir, { now: refusesOldTokens })
  const newKey = `Servers with this data directory sign with key ${kid} within seconds, without a restart.`
  return refusesOldTokens ? `${newKey} They refuse all older tokens, and every device renews its token.` : newKey
}

/** Returns the line that `sessions EMAIL --end` prints. */
export function describeEndedSessions(count: number): string {
  return `${count} ${count === 1 ? 'session' : 'sessions'} ended.`
}

function overview(): string {
  const lines = [...Object.values(commands), rotateKeysCommand].map(({ usage }) => `  npm run admin -- ${usage}`)
  return ['Commands (each with --help):', ...lines].join('\n')
}
