import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadKeys } from '#server/auth/keys.ts'
import { readConfig } from '#server/config.ts'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'
import { withOperator } from './with-operator.ts'

let dataDir: string
let database: TestDatabase
const configOf = (variables: Record<string, string>) =>
  readConfig({ DATA_DIR: dataDir, DATABASE_URL: database.url, ...variables })

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'banyan-admin-'))
  database = await testDatabase({ empty: true })
})
afterEach(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true })
})

it('npm run admin uses the secret of the server', async () => {
  const { refreshSecret } = await loadKeys(dataDir)
  const readSecret = async ({ secret }: { secret: Buffer }) => secret.toString('hex')
  expect(await withOperator(configOf({}), readSecret)).toBe(refreshSecret.toString('hex'))
})

it('npm run admin without the keys of the server in DATA_DIR asks for the DATA_DIR of the server, and creates no keys', async () => {
  await expect(withOperator(configOf({}), async () => 'done')).rejects.toThrow(
    `${join(dataDir, 'keys.json')} does not exist. Set DATA_DIR as for the server.`,
  )
  expect(await readdir(dataDir)).toEqual([])
})

it.each([
  [{}, 'http://localhost:3000'],
  [{ PORT: '4000', HOST: '0.0.0.0' }, 'http://localhost:4000'],
  [{ HOST: '192.0.2.7' }, 'http://192.0.2.7:3000'],
  [{ HOST: '2001:db8::7' }, 'http://[2001:db8::7]:3000'],
  [{ HOST: '192.0.2.7', SITE_URL: 'https://crm.example.com' }, 'https://crm.example.com'],
])('with the settings %j, npm run admin prints links to %s, as the server does', async (variables, siteUrl) => {
  await loadKeys(dataDir)
  expect(await withOperator(configOf(variables), async (operator) => operator.siteUrl)).toBe(siteUrl)
})
