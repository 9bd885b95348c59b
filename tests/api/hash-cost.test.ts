import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

/** Names that a setting for cheaper hashes might have, and the environment variables of the tests. None of them may have an effect. */
const variables = {
  BANYAN_BUILT: '1',
  BANYAN_LONG: '0',
  BANYAN_TEST_RUN: 'x',
  NODE_ENV: 'test',
  VITEST: 'true',
  hashCost: '{"memoryCost":8,"timeCost":1}',
  HASH_COST: '8',
  HASHES: 'cheap',
  BANYAN_HASH_COST: '8',
  ARGON2_MEMORY_COST: '8',
  ARGON2_TIME_COST: '1',
  memoryCost: '8',
  timeCost: '1',
  MEMORY_COST: '8',
  TIME_COST: '1',
}

let server: TestServer
let database: Client
beforeAll(async () => {
  server = await startTestServer({ run: 'process', product: false, hashes: 'cheap', env: variables })
  database = new Client({ connectionString: server.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await server?.stop()
})

it('a server in a separate process computes hashes of full cost at sign-up and for a new password, whatever its environment says', async () => {
  const { client, user } = await signUpPerson(server, 'ana@example.com')
  const parameters = async () => {
    const { rows } = await database.query('select encrypted_password as hash from auth.users where id = $1', [user.id])
    return String(rows[0]?.hash).split('$').slice(1, 4)
  }
  const fullCost = ['argon2id', 'v=19', 'm=34816,t=2,p=1']
  expect(await parameters()).toEqual(fullCost)
  const { error } = await client.auth.updateUser({ password: 'another horse', current_password: 'correct horse' })
  expect(error).toBeNull()
  const newSignIn = await client.auth.signInWithPassword({ email: 'ana@example.com', password: 'another horse' })
  expect(newSignIn.error).toBeNull()
  expect(await parameters()).toEqual(fullCost)
})

it('none of the environment variables of the tests is a setting of the server', () => {
  const usualSettings = { DATA_DIR: '/srv/banyan' }
  expect(readConfig({ ...variables, ...usualSettings })).toEqual(readConfig(usualSettings))
})

it('the program that an operator starts passes settings, the client and a log to the server, and reads no environment variable of the tests', () => {
  const sources = readdirSync('src/server', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => join('src/server', path))
  const files = [
    ...sources,
    'scripts/start.mjs',
    'scripts/supervise.mjs',
    'scripts/admin.ts',
    'scripts/admin/run-admin.ts',
  ]
  const linesWith = (part: RegExp) =>
    files.flatMap((path) => {
      const lines = readFileSync(path, 'utf8').split('\n')
      return lines.filter((line) => part.test(line)).map((line) => `${path}: ${line.trim()}`)
    })
  expect(linesWith(/\bstartServer\(/).toSorted()).toEqual([
    'src/server/main.ts: const starting = startServer({ config, webRoot, log })',
    'src/server/start-server.ts: export async function startServer({',
  ])
  expect(linesWith(/memoryCost\b/)).toEqual([
    expect.stringMatching(
      /^src\/server\/auth\/passwords\.ts: const argon2Parameters = .* memoryCost: 34 \* 1024, timeCost: 2/,
    ),
    'src/server/auth/passwords.ts: memoryCost: number',
  ])
  expect(linesWith(/BANYAN_(?!CONFIG\b)\w/)).toEqual([])
})
