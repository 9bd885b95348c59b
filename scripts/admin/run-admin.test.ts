import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadKeys, readNewKeys } from '#server/auth/keys.ts'
import { testDatabase } from '#tests/harness/database.ts'
import { describeEndedSessions, runAdmin } from './run-admin.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'banyan-admin-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

/** Runs the command. The port of DATABASE_URL is closed, so that each command but `rotate-keys` fails with ECONNREFUSED when it begins its work. */
const admin = (...args: string[]) =>
  runAdmin(args, { DATA_DIR: dataDir, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })

it.each([
  ['block ana@example.com bob@example.com', 'Unexpected argument bob@example.com.', 'block EMAIL'],
  ['users ana bob', 'Unexpected argument bob.', 'users [TEXT]'],
  ['remove-factor ana@example.com phone key', 'Unexpected argument key.', 'remove-factor EMAIL [NAME]'],
  ['rotate-keys now', 'Unexpected argument now.', 'rotate-keys [--now]'],
  ['rotate-keys --end', 'Unknown option --end.', 'rotate-keys [--now]'],
  ['rotate-keys --now=no', 'Unknown option --now=no.', 'rotate-keys [--now]'],
  ['block ana@example.com --now', 'Unknown option --now.', 'block EMAIL'],
  ['sessions ana@example.com --foo', 'Unknown option --foo.', 'sessions EMAIL [--end]'],
  ['sessions ana@example.com -e', 'Unknown option -e.', 'sessions EMAIL [--end]'],
])('npm run admin -- %s is refused with the usage, and changes nothing', async (line, reason, usage) => {
  const keys = await loadKeys(dataDir)
  await expect(admin(...line.split(' '))).rejects.toThrow(new Error(`${reason}\nUsage: npm run admin -- ${usage}`))
  expect(await readNewKeys(dataDir, keys)).toBeNull()
})

it('npm run admin without a required argument prints the usage; without a command, or with an unknown one, it lists the commands', async () => {
  await expect(admin('block')).rejects.toThrow(new Error('Usage: npm run admin -- block EMAIL'))
  const overview = await admin()
  expect(overview).toMatch(/^Commands \(each with --help\):\n {2}npm run admin -- users \[TEXT\]\n/)
  expect(await admin('--help')).toBe(overview)
  await expect(admin('--now')).rejects.toThrow(`Unknown option --now.\n\n${overview}`)
  await expect(admin('blok')).rejects.toThrow(`There is no command blok.\n\n${overview}`)
})

it('npm run admin runs a command whose arguments fit; after --, a word may begin with a hyphen', async () => {
  await loadKeys(dataDir)
  for (const line of ['users', 'users ana', 'sessions ana@example.com --end', 'remove-factor ana@example.com -- -key'])
    await expect(admin(...line.split(' ')), line).rejects.toThrow(
      /^The database at 127\.0\.0\.1:1 cannot be reached, .*ECONNREFUSED/,
    )
})

it('npm run admin says if the database has no tables of the server', async () => {
  await loadKeys(dataDir)
  const database = await testDatabase({ empty: true })
  try {
    await expect(runAdmin(['users'], { DATA_DIR: dataDir, DATABASE_URL: database.url })).rejects.toThrow(
      /^The database test_\w+ has no tables of Banyan CRM\. Set DATABASE_URL and DATA_DIR as for the server/,
    )
  } finally {
    await database.drop()
  }
})

it('rotate-keys says whether older tokens are refused', async () => {
  await loadKeys(dataDir)
  expect(await admin('rotate-keys')).toMatch(/without a restart\.$/)
  expect(await admin('rotate-keys', '--now')).toMatch(
    /without a restart\. They refuse all older tokens, and every device renews its token\.$/,
  )
})

it('sessions --end says how many sessions have ended', () => {
  expect([0, 1, 2].map(describeEndedSessions)).toEqual(['0 sessions ended.', '1 session ended.', '2 sessions ended.'])
})
