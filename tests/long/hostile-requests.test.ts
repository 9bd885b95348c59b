import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { hostileRequests } from '../harness/hostile-requests.ts'
import { type HostileAnswer, sendHostile } from '../harness/hostile-sender.ts'
import { residentMiB, startMemberPulse } from '../harness/member-pulse.ts'
import { startTestServer } from '../harness/server.ts'

const count = Number(process.env.HOSTILE_REQUESTS ?? 5000)
const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31)
const together = 24
/** Answers on their way (128 MiB, 192 with the small ones), bodies (64, 96), what the collector of garbage has not come to. */
const budgetAboveIdleMiB = 192 + 96 + 64
const largest = 33 * 1024 * 1024

it(`${count} hostile requests of a signed-up user (seed ${seed}): one process, bounded answers and memory`, async () => {
  const server = await startTestServer({ run: 'process' })
  const owner = new Pool({ connectionString: server.databaseUrl })
  const pid = server.child?.pid ?? 0
  try {
    const [eve, bo] = [await signUpPerson(server, 'eve@example.org'), await signUpPerson(server, 'bo@example.org')]
    const [hers, his] = [crypto.randomUUID(), crypto.randomUUID()]
    await eve.client.from('brands').insert({ id: hers, name: 'Umbra' })
    await bo.client.from('brands').insert({ id: his, name: 'Acme' })
    await fill(owner, hers, eve.user.id)
    const headers = { apikey: server.publishableKey, authorization: `Bearer ${eve.session.access_token}` }

    const attack = async (requests: number, part: number) => {
      const source = hostileRequests(seed + part, requests, { brandId: hers })
      const statuses = new Map<number, number>()
      let widest: HostileAnswer & { kind: string } = { status: 0, bytes: 0, ms: 0, kind: '' }
      const worker = async () => {
        for (const request of source) {
          const answer = await sendHostile(server.url, headers, request)
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          if (answer.bytes > widest.bytes) widest = { ...answer, kind: request.kind }
          expect({
            kind: request.kind,
            status: answer.status >= 500 && ![503, 504].includes(answer.status) ? answer.status : 0,
          }).toEqual({ kind: request.kind, status: 0 })
        }
      }
      await Promise.all(Array.from({ length: together }, worker))
      return { statuses: Object.fromEntries([...statuses].sort(([a], [b]) => a - b)), widest }
    }

    const idle = residentMiB(pid)
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, residentMiB(pid))
    }, 50)
    const pulse = startMemberPulse(bo.client, his)
    const first = await attack(Math.floor(count / 2), 1)
    await sleep(3000)
    const settled = residentMiB(pid)
    const second = await attack(Math.ceil(count / 2), 2)
    await sleep(3000)
    const after = residentMiB(pid)
    clearInterval(watch)
    const member = await pulse.stop()
    const mib = { idle, settled, after, peak, budget: idle + budgetAboveIdleMiB }
    for (const [name, value] of Object.entries(mib)) Object.assign(mib, { [name]: Math.round(value) })
    process.stdout.write(
      `${JSON.stringify({ mib, first, second, member: { ...member, failures: member.failures.slice(0, 5) } })}\n`,
    )

    expect(server.child?.exitCode).toBeNull()
    expect(Math.max(first.widest.bytes, second.widest.bytes)).toBeLessThan(largest)
    expect(peak).toBeLessThan(1.5 * mib.budget)
    expect(after - settled).toBeLessThan(50)
    expect(member.failures).toEqual([])
  } finally {
    await owner.end()
    await server.stop()
  }
}, 1_800_000)

/** 60 companies with notes of 10,000 characters for each contact, 900 more with as much. */
async function fill(owner: Pool, brandId: string, userId: string): Promise<void> {
  await owner.query(
    `insert into public.companies (brand_id, name, notes, owner_id)
     select $1, 'Company ' || i, repeat('n', 10000), $2 from generate_series(1, 960) as i`,
    [brandId, userId],
  )
  await owner.query(
    `insert into public.contacts (brand_id, email, first_name, company_id)
     select $1, 'c' || i || '@example.org', repeat('x', 60), (
       select id from public.companies where brand_id = $1 and name = 'Company ' || (1 + i % 60))
     from generate_series(1, 1500) as i`,
    [brandId],
  )
  await owner.query('analyze')
}
