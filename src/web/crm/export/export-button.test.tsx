// @vitest-environment happy-dom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

interface Run {
  signal: AbortSignal
  end: () => void
}
const { runs, downloaded } = vi.hoisted(() => ({ runs: [] as Run[], downloaded: [] as string[] }))

vi.mock('#web/data/browser/device.ts', async (actual) => ({ ...(await actual<object>()), useDevice: () => ({}) }))
vi.mock('#web/data/people/active-brand.ts', () => ({ useActiveBrand: () => ({ brand: { slug: 'acme' } }) }))
vi.mock('#web/lib/download.ts', () => ({ downloadBlob: (name: string) => downloaded.push(name) }))
vi.mock('./export-records.ts', () => ({
  exportRecords: (_device: unknown, _query: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((resolve) => {
      runs.push({ signal, end: () => resolve({ file: new Blob(), count: 1, isPart: false, failure: null }) })
    }),
}))

import { ExportButton } from './export-button.tsx'

let root: Root
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root') as HTMLElement)
  act(() => root.render(<ExportButton query={{ table: 'contacts' }} />))
})
afterEach(() => {
  runs.length = 0
  downloaded.length = 0
})

const press = () => act(async () => document.querySelector('button')?.click())
const end = (run: Run | undefined) => act(async () => run?.end())

test('a stopped export that ends late does not affect the next export; leaving the page stops a running export', async () => {
  await press()
  await vi.waitFor(() => expect(runs).toHaveLength(1))
  await press()
  expect(runs[0]?.signal.aborted).toBe(true)
  await press()
  await vi.waitFor(() => expect(runs).toHaveLength(2))
  await end(runs[0])
  expect(downloaded).toEqual([])
  act(() => root.unmount())
  expect(runs[1]?.signal.aborted).toBe(true)
  await end(runs[1])
  expect(downloaded).toEqual([])
})
