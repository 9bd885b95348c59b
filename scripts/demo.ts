/**
 * `npm run demo`: fills a brand with invented records and prints how to sign in to it. If a server is running (same HOST and
 * PORT), fills a brand of that server and ends. Otherwise starts a server, which Ctrl-C stops, on a separate data directory
 * (`DATA_DIR`, default ./data/demo). The records are kept for the next run.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readConfig } from '#server/config.ts'
import { reachableHost } from '#server/http/reachable-host.ts'
import { ensureDemoBrand } from './demo/ensure.ts'
import { loadOfficialClient } from './demo/official-client.ts'
import { owner } from './demo/records.ts'
import { isBanyanServer, publishableKeyWhenReady } from './demo/running-server.ts'

async function main(): Promise<void> {
  const { host, port, siteUrl } = readConfig(process.env)
  const localUrl = `http://${reachableHost(host)}:${port}`
  const signInHint = `open ${siteUrl ?? localUrl} and sign in as ${owner.email} with the password ${owner.password}`
  if (await isBanyanServer(localUrl)) {
    const outcome = await fillBrand(localUrl)
    console.log(`\n${outcome}: ${signInHint}`)
    console.log('This password is public: afterwards, delete the accounts under Settings, Security.\n')
    return
  }
  const dataDir = resolve(process.env.DATA_DIR || './data/demo')
  startServer(dataDir, port)
  const filledMarker = join(dataDir, 'demo-filled')
  if (existsSync(filledMarker)) await publishableKeyWhenReady(localUrl)
  else {
    await fillBrand(localUrl)
    writeFileSync(filledMarker, '')
  }
  console.log(`\nDemo: ${signInHint}\n`)
}

async function fillBrand(url: string): Promise<string> {
  return ensureDemoBrand(await loadOfficialClient(url, await publishableKeyWhenReady(url)))
}

function startServer(dataDir: string, port: number): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const server = spawn(process.execPath, ['scripts/start.mjs'], {
    stdio: 'inherit',
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' },
  })
  server.on('exit', (code) => process.exit(code ?? 1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})
