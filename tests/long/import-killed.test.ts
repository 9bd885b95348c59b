import { mkdtempSync, rmSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type BrandOwner, signUpWithBrand } from '../harness/brand-owner.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const rowCount = 5_000
const chunkRows = 500
const roundCount = 10

const rows = Array.from({ length: rowCount }, (_, i) => ({
  row: i + 2,
  email: `person-${i}@example.com`,
  first_name: `First ${i}`,
  last_name: `Last ${i}`,
  company: `Company ${i % 100}`,
}))
const chunks = Array.from({ length: rowCount / chunkRows }, (_, i) => rows.slice(i * chunkRows, (i + 1) * chunkRows))

test(`a server killed ${roundCount} times in the middle of an import of ${rowCount} rows stores whole chunks only, and no row is doubled or lost when the import is repeated`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'banyan-import-'))
  let server = await startEmbedded(dataDir)
  const owner = await signUpWithBrand(server)
  const storedCounts: number[] = []
  for (let round = 0; round < roundCount; round++) {
    const brand = { ...owner, ...(round === 0 ? {} : await createBrand(server, owner)) }
    let acknowledged = 0
    const importEnded = (async () => {
      for (const chunk of chunks) {
        if ((await importChunk(server, brand, chunk)) === null) return
        acknowledged++
      }
    })()
    await sleep(50 + Math.random() * 600)
    await server.kill()
    await importEnded
    server = await startEmbedded(dataDir, server.port)

    const emails = await importedEmails(server, brand)
    // The database has only whole chunks, in order: the acknowledged ones, and perhaps the one whose response was lost.
    expect([acknowledged * chunkRows, (acknowledged + 1) * chunkRows]).toContain(emails.length)
    expect(new Set(emails)).toEqual(new Set(rows.slice(0, emails.length).map((row) => row.email)))

    storedCounts.push(emails.length)

    const outcomes = new Map<string, number>()
    for (const chunk of chunks) {
      for (const { status } of (await importChunk(server, brand, chunk)) ?? []) {
        outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
      }
    }
    expect(Object.fromEntries(outcomes)).toEqual({
      ...(emails.length > 0 ? { unchanged: emails.length } : {}),
      ...(emails.length < rowCount ? { created: rowCount - emails.length } : {}),
    })
    const allEmails = await importedEmails(server, brand)
    expect(allEmails.length).toBe(rowCount)
    expect(new Set(allEmails).size).toBe(rowCount)
  }
  console.log(`stored rows after each kill: ${storedCounts.join(' ')}`)
  await server.stop()
  rmSync(dataDir, { recursive: true })
})

/** Starts the server. A restart needs the same port, because the issuer of the tokens contains the port. */
const startEmbedded = (dataDir: string, port = 0) =>
  startTestServer({ run: 'process', databaseKind: 'embedded', dataDir, env: { PORT: String(port) } })

function headersOf(server: TestServer, { accessToken }: BrandOwner): Record<string, string> {
  return {
    apikey: server.publishableKey,
    Authorization: `Bearer ${accessToken}`,
    'Content-Type': 'application/json',
  }
}

async function createBrand(server: TestServer, owner: BrandOwner): Promise<{ brandId: string }> {
  const brandId = randomUUID()
  const body = JSON.stringify({ id: brandId, name: `Brand ${brandId}` })
  const response = await fetch(`${server.url}/rest/v1/brands`, {
    method: 'POST',
    headers: headersOf(server, owner),
    body,
  })
  expect(response.status).toBe(201)
  return { brandId }
}

/** Imports a chunk. Returns the outcome of each row, or null if no response came. */
async function importChunk(
  server: TestServer,
  brand: BrandOwner,
  chunk: typeof rows,
): Promise<{ status: string }[] | null> {
  const body = JSON.stringify({ p_brand_id: brand.brandId, p_import_id: randomUUID(), p_rows: chunk })
  try {
    const response = await fetch(`${server.url}/rest/v1/rpc/import_contacts`, {
      method: 'POST',
      headers: headersOf(server, brand),
      body,
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${response.status} ${text}`)
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

async function importedEmails(server: TestServer, brand: BrandOwner): Promise<string[]> {
  const emails: string[] = []
  for (;;) {
    const query = `select=email&brand_id=eq.${brand.brandId}&order=id&limit=1000&offset=${emails.length}`
    const response = await fetch(`${server.url}/rest/v1/contacts?${query}`, { headers: headersOf(server, brand) })
    expect(response.status).toBe(200)
    const page = (await response.json()) as { email: string }[]
    if (page.length === 0) return emails
    emails.push(...page.map((contact) => contact.email))
  }
}
