import { expect, test, vi } from 'vitest'
import type { ImportRow } from '#web/data/import-contacts.ts'
import { openLoneTab, untilIdle, type LoneTab } from '#tests/harness/lone-tab.ts'
import { type PreparedResponse, refusalResponse, type SentRequest } from '#tests/harness/prepared-network.ts'
import { checkFile, runImport } from './run-import.ts'

const importLine = 'POST /rest/v1/rpc/import_contacts'
const beginLine = 'POST /rest/v1/rpc/begin_import'

const fileOf = (rows: number) =>
  new File(['email\n', ...Array.from({ length: rows }, (_, n) => `p${n}@import.test\n`)], 'people.csv')

/** Returns the response to a chunk: every row has become a contact. */
const allCreated = ({ body }: SentRequest) => ({
  body: rowsOf(body).map(({ row }) => ({ row, status: 'created', id: `id ${row}`, reason: null })),
})

const rowsOf = (body: unknown) => (body as { p_rows: readonly ImportRow[] }).p_rows

/** Opens a tab whose server creates a contact from every row. */
async function openTab(): Promise<LoneTab> {
  const tab = await openLoneTab()
  tab.network.on(beginLine, () => ({ body: null }))
  tab.network.on(importLine, allCreated)
  return tab
}

/** Begins an import of a file. Resolves when a request with this line was sent, and the import waits for its response. */
async function begin({ device, network }: LoneTab, file: File, line = importLine) {
  const checked = await checkFile(device, file)
  if (!checked.ok) throw new Error('the file is refused')
  const stopper = new AbortController()
  const ended = runImport(device, checked, checked.summary.columns, stopper.signal, () => {})
  await vi.waitFor(() => expect(network.lines).toContain(line))
  await untilIdle()
  return { stop: () => stopper.abort(), ended }
}

/** Holds the responses to requests with this line until the returned function is called. */
function hold({ network }: LoneTab, line: string, answer: (request: SentRequest) => PreparedResponse): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  network.on(line, async (request) => {
    await released
    return answer(request)
  })
  return () => release()
}

test('an import is complete if it is stopped while its last rows are being sent', async () => {
  const tab = await openTab()
  const release = hold(tab, importLine, allCreated)
  const { stop, ended } = await begin(tab, fileOf(3))
  stop()
  release()
  expect(await ended).toMatchObject({ ended: 'complete', message: null, rows: 3, imported: 3 })
})

test.each([
  ['its last rows were read, but not sent', importLine, 800, 500],
  ['the request that begins the import was being sent', beginLine, 3, 0],
])('an import is stopped if Stop was pressed while %s', async (_, line, rows, imported) => {
  const tab = await openTab()
  const release = hold(tab, line, line === importLine ? allCreated : () => ({ body: null }))
  const { stop, ended } = await begin(tab, fileOf(rows), line)
  stop()
  release()
  expect(await ended).toMatchObject({ ended: 'stopped', message: null, rows, imported })
})

test('an import is stopped if Stop was pressed while its last rows wait to be sent again', async () => {
  const tab = await openTab()
  tab.network.on(importLine, () => null)
  const { stop, ended } = await begin(tab, fileOf(3))
  expect(tab.network.of(importLine)).toHaveLength(1)
  stop()
  expect(await ended).toMatchObject({ ended: 'stopped', message: null, imported: 0 })
})

test('an import whose rows are refused has failed, also if it was stopped meanwhile', async () => {
  const tab = await openTab()
  const refusal = refusalResponse(403, '42501', 'You are no member of this brand.')
  const release = hold(tab, importLine, () => refusal)
  const { stop, ended } = await begin(tab, fileOf(3))
  stop()
  release()
  expect(await ended).toMatchObject({ ended: 'failed', message: 'You are no member of this brand.' })
})

test('after a response was lost, the numbers of added and changed contacts are those of the server', async () => {
  const tab = await openTab()
  tab.network.onEach(importLine, null, {
    body: [2, 3, 4].map((row) => ({ row, status: 'unchanged', id: `id ${row}`, reason: null })),
  })
  tab.network.on('POST /rest/v1/rpc/read_imports', ({ body }) => ({
    body: [{ id: (body as { p_import_id: string }).p_import_id, created: 2, updated: 1 }],
  }))
  tab.network.on('POST /rest/v1/rpc/import_changes', () => ({ body: { count: 1, contacts: [] } }))
  const { ended } = await begin(tab, fileOf(3))
  tab.clock.advance(1_000)
  expect(await ended).toMatchObject({ ended: 'complete', imported: 3, created: 2, updated: 1, changed: 1, repeated: 0 })
})

test('a row that the server has written twice counts once as imported', async () => {
  const tab = await openTab()
  tab.network.onEach(importLine, null, {
    body: [2, 3, 4].map((row) => ({ row, status: 'updated', id: `id ${row}`, reason: null })),
  })
  tab.network.on('POST /rest/v1/rpc/read_imports', () => ({ body: [{ created: 1, updated: 5 }] }))
  tab.network.on('POST /rest/v1/rpc/import_changes', () => ({ body: { count: 2, contacts: [] } }))
  const { ended } = await begin(tab, fileOf(3))
  tab.clock.advance(1_000)
  expect(await ended).toMatchObject({ ended: 'complete', imported: 3 })
})

test('an import that is stopped after a lost response counts the rows that the server has written', async () => {
  const tab = await openTab()
  tab.network.on(importLine, () => null)
  tab.network.on('POST /rest/v1/rpc/read_imports', () => ({ body: [{ created: 3, updated: 0 }] }))
  const { stop, ended } = await begin(tab, fileOf(3))
  stop()
  expect(await ended).toMatchObject({ ended: 'stopped', imported: 3, created: 3, updated: 0 })
})

test('an import without a repeated request does not ask the server what was written', async () => {
  const tab = await openTab()
  const { ended } = await begin(tab, fileOf(3))
  expect(await ended).toMatchObject({ ended: 'complete', created: 3 })
  expect(tab.network.lines).not.toContain('POST /rest/v1/rpc/read_imports')
})
