import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import { expect, it } from 'vitest'
import WebSocket from 'ws'
import { ensureDemoBrand } from '../../scripts/demo/ensure.ts'
import { testClient } from '../harness/client.ts'
import { startTestServer } from '../harness/server.ts'

const siteUrl = 'https://crm.example.com'

const runDemo = (port: number) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/demo.ts'], {
    env: { PATH: process.env.PATH ?? '', PORT: String(port), SITE_URL: siteUrl },
  })

it('npm run demo with a running server fills a brand there once, prints its URL, and ends', async () => {
  const server = await startTestServer({ env: { SITE_URL: siteUrl } })
  const firstRun = await runDemo(server.port)
  expect(firstRun.stdout).toMatch(
    /^\nThe demo brand was added to the running server: open https:\/\/crm\.example\.com and sign in as priya@/,
  )
  expect(firstRun.stderr).toBe('')
  const secondRun = await runDemo(server.port)
  expect(secondRun.stdout).toContain('The running server has the demo brand already: open')

  const client = testClient({ url: `http://localhost:${server.port}`, publishableKey: server.publishableKey })
  const [, email = '', password = ''] = /as (\S+) with the password (\S+)/.exec(secondRun.stdout) ?? []
  expect((await client.auth.signInWithPassword({ email, password })).error).toBeNull()
  const { data } = await client.from('brands').select('id')
  expect(data).toHaveLength(1)
  await server.stop()
}, 60_000)

it('a filled demo brand is neither deleted nor filled again if requests fail', {
  tags: ['long'],
  timeout: 90_000,
}, async () => {
  const server = await startTestServer()
  let failingPath = ''
  const connect = () =>
    createClient(server.url, server.publishableKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
      global: {
        fetch: (input, init) =>
          failingPath !== '' && (input as string).includes(failingPath)
            ? Promise.resolve(new Response('{"message":"away"}', { status: 503 }))
            : fetch(input, init),
      },
    })
  expect(await ensureDemoBrand(connect)).toBe('The demo brand was added to the running server')
  for (failingPath of ['/rest/v1/tasks', '/rest/v1/brands', '/auth/v1/token'])
    await expect(ensureDemoBrand(connect), failingPath).rejects.toThrow(/^The demo brand could not be filled: /)
  failingPath = ''
  expect(await ensureDemoBrand(connect)).toBe('The running server has the demo brand already')
  const { rows } = await server.database!.owner.query('select from public.brands')
  expect(rows).toHaveLength(1)
  await server.stop()
})

it('npm run demo with a server that accepts no sign-ups says what to do', async () => {
  const server = await startTestServer({ env: { SIGN_UP: 'closed' } })
  const failure = (await runDemo(server.port).catch((error: unknown) => error)) as { code: number; stderr: string }
  expect(failure.code).toBe(1)
  expect(failure.stderr).toMatch(/^The demo brand could not be filled: .*PORT=3001 npm run demo\.\n$/)
  await server.stop()
}, 60_000)
