/**
 * `npm run demo`: starts the server on a data directory of its own (`DATA_DIR`, default ./data/demo), fills a brand the
 * first time, and prints the sign-in. Ctrl-C stops it; the records stay for the next time.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import WebSocket from 'ws'
import { fillDemoBrand } from './demo/fill.ts'
import { owner } from './demo/records.ts'

const port = process.env.PORT ?? '3000'
const dataDir = resolve(process.env.DATA_DIR ?? './data/demo')
const filled = join(dataDir, 'demo-filled')
const url = `http://127.0.0.1:${port}`
mkdirSync(dataDir, { recursive: true })

const server = spawn(process.execPath, ['scripts/start.mjs'], {
  stdio: 'inherit',
  env: { ...process.env, PORT: port, DATA_DIR: dataDir, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' },
})
server.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))

await ready()
if (!existsSync(filled)) {
  const key = await publishableKey()
  const connect = () =>
    createClient(url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    })
  await fillDemoBrand(connect)
  writeFileSync(filled, '')
}
console.log(`\nDemo: open http://localhost:${port} and sign in as ${owner.email} with the password ${owner.password}\n`)

async function ready() {
  const until = Date.now() + 120_000
  while (Date.now() < until) {
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resume) => setTimeout(resume, 200))
  }
  throw new Error('The server did not become ready within two minutes.')
}

/** The key that the page itself is handed. */
async function publishableKey() {
  const script = await (await fetch(`${url}/config.js`)).text()
  const key = /"publishableKey"\s*:\s*"([^"]+)"/.exec(script)?.[1]
  if (key === undefined) throw new Error('/config.js does not hand out a publishable key.')
  return key
}
