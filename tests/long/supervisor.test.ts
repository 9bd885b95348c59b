import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { clusterDirectory, embeddedConnection } from '#server/db/embedded.ts'
import { readPidFile } from '#server/db/postmaster.ts'
import { signUpWithBrand } from '../harness/brand-owner.ts'
import { residentMiB } from '../harness/measure-requests.ts'
import { untilEnded, postmasterOf, startSupervised } from '../harness/supervised-server.ts'
import { compareTitles, startWriters, type Writers } from '../harness/writers.ts'

const roundCount = 20

it(`npm start restarts a killed server within 2 s, ${roundCount} times under 8 writers, and no acknowledged write is lost or doubled`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'banyan-supervised-'))
  const supervised = await startSupervised(dataDir)
  await supervised.ready()
  const { publishableKey } = JSON.parse(readFileSync(join(dataDir, 'keys.json'), 'utf8')) as { publishableKey: string }
  const owner = await signUpWithBrand({ url: supervised.url, publishableKey })
  const writers = startWriters({ url: () => supervised.url, publishableKey, ...owner })
  const restartsMs: number[] = []
  for (let round = 0; round < roundCount; round++) {
    await waitForProgress(writers)
    await sleep(Math.random() * 400)
    const killedPid = supervised.serverPid()
    process.kill(killedPid, 'SIGKILL')
    await untilEnded(killedPid, 1_000)
    restartsMs.push(await supervised.ready())
  }
  await waitForProgress(writers)
  await writers.stop()
  const titles = await storedTitles(dataDir)
  const memoryMiB = [supervised.supervisor.pid ?? 0, supervised.serverPid()].map((pid) => Math.round(residentMiB(pid)))
  console.log(
    `acknowledged ${writers.acknowledged.size}; ms until ready again: ${restartsMs.sort((a, b) => a - b).join(' ')}`,
  )
  console.log(`RSS of the supervisor and of the server: ${memoryMiB.join(' and ')} MiB`)

  expect(writers.unexpected).toEqual([])
  expect(compareTitles(writers.acknowledged, titles)).toEqual({ lost: [], doubled: [] })
  expect(Math.max(...restartsMs)).toBeLessThan(2_000)
  expect(supervised.output().match(/the server crashed/g)).toHaveLength(roundCount)

  const postmasterPid = postmasterOf(dataDir)
  supervised.supervisor.kill('SIGTERM')
  expect(await supervised.exited).toBe(0)
  await untilEnded(postmasterPid, 100)
  rmSync(dataDir, { recursive: true })
})

/** Waits until 100 more writes have been acknowledged. */
async function waitForProgress(writers: Writers): Promise<void> {
  const goal = writers.acknowledged.size + 100
  const deadline = performance.now() + 30_000
  while (writers.acknowledged.size < goal) {
    if (performance.now() > deadline) throw new Error(`no progress: ${writers.unexpected.slice(0, 3).join('; ')}`)
    await sleep(10)
  }
}

async function storedTitles(dataDir: string): Promise<string[]> {
  const client = new Client(embeddedConnection(readPidFile(clusterDirectory(dataDir))?.socketDirectory ?? ''))
  await client.connect()
  const { rows } = await client.query<{ title: string }>('select title from tasks')
  await client.end()
  return rows.map(({ title }) => title)
}
