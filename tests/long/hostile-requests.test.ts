import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { fillWithWideRecords, hostileAttack } from '../harness/hostile-attack.ts'
import { residentMiB, measureSmallRequests } from '../harness/measure-requests.ts'
import { startTestServer } from '../harness/server.ts'
import { poolOf } from '../harness/pool-of.ts'

const requestCount = Number(process.env.HOSTILE_REQUESTS ?? 5000)
const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31)
const parallelCount = 24
/** Maximum memory above that of the idle server (MiB): responses (192), request bodies (96), and garbage that is not collected yet (64). */
const budgetAboveIdleMiB = 192 + 96 + 64
const maxResponseBytes = 33 * 1024 * 1024

it(`${requestCount} hostile requests of a signed-up user (seed ${seed}) leave the process running, with bounded responses and memory`, async () => {
  const server = await startTestServer({ run: 'process' })
  const owner = poolOf(server.databaseUrl)
  const pid = server.child?.pid ?? 0
  try {
    const [eve, bo] = [await signUpPerson(server, 'eve@example.org'), await signUpPerson(server, 'bo@example.org')]
    const [eveBrandId, boBrandId] = [crypto.randomUUID(), crypto.randomUUID()]
    await eve.client.from('brands').insert({ id: eveBrandId, name: 'Umbra' })
    await bo.client.from('brands').insert({ id: boBrandId, name: 'Acme' })
    await fillWithWideRecords(owner, eveBrandId, eve.user.id)
    const attack = (requests: number, part: number) =>
      hostileAttack(server, {
        token: eve.session.access_token,
        brandId: eveBrandId,
        seed: seed + part,
        requests,
        together: parallelCount,
      })

    const idleMiB = residentMiB(pid)
    let peakMiB = 0
    const memoryTimer = setInterval(() => {
      peakMiB = Math.max(peakMiB, residentMiB(pid))
    }, 50)
    const measurement = measureSmallRequests(bo.client, boBrandId)
    const first = await attack(Math.floor(requestCount / 2), 1)
    await sleep(3000)
    const settledMiB = residentMiB(pid)
    const second = await attack(Math.ceil(requestCount / 2), 2)
    await sleep(3000)
    const afterMiB = residentMiB(pid)
    clearInterval(memoryTimer)
    const member = await measurement.stop()
    const mib = {
      idle: idleMiB,
      settled: settledMiB,
      after: afterMiB,
      peak: peakMiB,
      budget: idleMiB + budgetAboveIdleMiB,
    }
    for (const [name, value] of Object.entries(mib)) Object.assign(mib, { [name]: Math.round(value) })
    process.stdout.write(
      `${JSON.stringify({ mib, first, second, member: { ...member, failures: member.failures.slice(0, 5) } })}\n`,
    )

    expect(server.child?.exitCode).toBeNull()
    expect(Math.max(first.largest.bytes, second.largest.bytes)).toBeLessThan(maxResponseBytes)
    expect(peakMiB).toBeLessThan(1.5 * mib.budget)
    expect(afterMiB - settledMiB).toBeLessThan(50)
    expect(member.failures).toEqual([])
    expect(member.p95).toBeLessThan(300)
  } finally {
    await owner.end()
    await server.stop()
  }
}, 1_800_000)
