import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { clusterDirectory, embeddedConnection } from '#server/db/embedded.ts'
import { readPidFile } from '#server/db/postmaster.ts'
import { signUpWithBrand } from '../harness/brand-owner.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { compareTitles, startWriters, type Writers } from '../harness/writers.ts'

const roundCount = 20

test(`a server killed ${roundCount} times under 8 writers starts again each time, and no acknowledged write is lost or doubled`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'banyan-crash-'))
  let server = await startEmbedded(dataDir)
  const writers = await startWriting(() => server)
  const startsMs: number[] = []
  for (let round = 0; round < roundCount; round++) {
    await waitForProgress(writers)
    await sleep(Math.random() * 400)
    await server.kill()
    const startedAt = performance.now()
    server = await startEmbedded(dataDir, server.port)
    startsMs.push(Math.round(performance.now() - startedAt))
  }
  await waitForProgress(writers)
  await writers.stop()
  await expectNoWriteLostOrDoubled(dataDir, writers)
  console.log(`acknowledged ${writers.acknowledged.size}; starts in ms: ${startsMs.sort((a, b) => a - b).join(' ')}`)
  await server.stop()
  rmSync(dataDir, { recursive: true })
})

test(`after the database is killed ${roundCount} times under 8 writers, the server works again within 2 s, and no acknowledged write is lost or doubled`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'banyan-crash-'))
  const server = await startEmbedded(dataDir)
  const writers = await startWriting(() => server)
  const outagesMs: number[] = []
  for (let round = 0; round < roundCount; round++) {
    await waitForProgress(writers)
    await sleep(Math.random() * 400)
    const { pid } = readPidFile(clusterDirectory(dataDir)) ?? { pid: 0 }
    const killedAt = performance.now()
    process.kill(pid, 'SIGKILL')
    // Processes of the killed PostgreSQL may still finish a write. Waits for the first write that the new PostgreSQL has handled.
    while ((readPidFile(clusterDirectory(dataDir))?.pid ?? pid) === pid) await sleep(2)
    const restartedAt = performance.now()
    while (writers.lastAcknowledgedAt() < restartedAt) await sleep(2)
    outagesMs.push(Math.round(writers.lastAcknowledgedAt() - killedAt))
  }
  await writers.stop()
  await expectNoWriteLostOrDoubled(dataDir, writers)
  console.log(
    `acknowledged ${writers.acknowledged.size}; ms until served again: ${outagesMs.sort((a, b) => a - b).join(' ')}`,
  )
  expect(Math.max(...outagesMs)).toBeLessThan(2_000)
  await server.stop()
  rmSync(dataDir, { recursive: true })
})

/** Starts the server. A restart needs the same port, because the issuer of the tokens contains the port. */
const startEmbedded = (dataDir: string, port = 0) =>
  startTestServer({ run: 'process', databaseKind: 'embedded', dataDir, env: { PORT: String(port) } })

async function startWriting(server: () => TestServer): Promise<Writers> {
  const { publishableKey } = server()
  const owner = await signUpWithBrand(server())
  return startWriters({ url: () => server().url, publishableKey, ...owner })
}

/** Waits until 100 more writes have been acknowledged. */
async function waitForProgress(writers: Writers): Promise<void> {
  const goal = writers.acknowledged.size + 100
  const deadline = performance.now() + 30_000
  while (writers.acknowledged.size < goal) {
    if (performance.now() > deadline) throw new Error(`no progress: ${writers.unexpected.slice(0, 3).join('; ')}`)
    await sleep(10)
  }
}

async function expectNoWriteLostOrDoubled(dataDir: string, writers: Writers): Promise<void> {
  const client = new Client(embeddedConnection(readPidFile(clusterDirectory(dataDir))?.socketDirectory ?? ''))
  await client.connect()
  const { rows } = await client.query<{ title: string }>('select title from tasks')
  await client.end()
  expect(writers.unexpected).toEqual([])
  expect(
    compareTitles(
      writers.acknowledged,
      rows.map((row) => row.title),
    ),
  ).toEqual({ lost: [], doubled: [] })
}
