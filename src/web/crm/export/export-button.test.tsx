// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLoneTab, serverRow, untilIdle } from '#tests/harness/lone-tab.ts'
import type { PreparedResponse } from '#tests/harness/prepared-network.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { runningWork } from '#web/lib/running-work.ts'
import { ExportButton } from './export-button.tsx'

renderInPage()

const readQueries = 'POST /rest/v1/rpc/read_queries'

/** Returns a response with contacts. `isLast`: no page follows. */
function pageOf(count: number, isLast: boolean): PreparedResponse {
  const names = { email: 'ida@acme.test', first_name: 'Ida', last_name: null, company_id: null }
  const rows = Array.from({ length: count }, (_, index) => serverRow({ id: `contact ${index}`, ...names }))
  return { body: { answers: [{ rows, end: isLast ? null : [1, 'x'], total: 900 }], named: { companies: [] } } }
}

/** A request for a page of contacts, which waits until the test calls `respond`. */
interface HeldRequest {
  respond: (page: PreparedResponse) => void
}

const downloadedNames: string[] = []
beforeEach(() => {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    downloadedNames.push(this.download)
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  downloadedNames.length = 0
})

/** Shows the button on a device that requests the contacts from the server. Returns a list to which each request is added. */
async function showButton(): Promise<HeldRequest[]> {
  // Loads the module in advance, because `untilIdle` does not wait until files are loaded.
  await import('./export-records.ts')
  const { device, network } = await openLoneTab({ windowed: ['contacts'] })
  const requests: HeldRequest[] = []
  network.on(readQueries, () => new Promise((resolve) => requests.push({ respond: resolve })))
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <ExportButton query={{ table: 'contacts' }} />
      </DeviceContext>,
    ),
  )
  return requests
}

const buttonText = () => document.querySelector('button')?.textContent
const pressButton = () =>
  act(async () => {
    document.querySelector('button')?.click()
    await untilIdle()
  })
const respond = (request: HeldRequest | undefined, page: PreparedResponse) =>
  act(async () => {
    request?.respond(page)
    await untilIdle()
  })

test('an export shows how many records it has, and downloads its file', async () => {
  const requests = await showButton()
  await pressButton()
  expect(buttonText()).toBe('ExportingStop')
  expect(runningWork.size).toBe(1)
  await respond(requests[0], pageOf(500, false))
  expect(buttonText()).toBe('500 of 900Stop')
  await respond(requests[1], pageOf(400, true))
  expect(requests).toHaveLength(2)
  expect(downloadedNames).toEqual([expect.stringMatching(/^contacts-export-.*\.csv$/)])
  expect(buttonText()).toBe('Export')
  expect(runningWork.size).toBe(0)
})

test('a stopped export whose response comes late requests no further page and does not affect the next export', async () => {
  const requests = await showButton()
  await pressButton()
  await pressButton()
  expect(buttonText()).toBe('Export')
  await pressButton()
  expect(requests).toHaveLength(2)
  await respond(requests[0], pageOf(500, false))
  expect(requests).toHaveLength(2)
  expect(buttonText()).toBe('ExportingStop')
  expect(downloadedNames).toEqual([])
  await respond(requests[1], pageOf(400, true))
  expect(downloadedNames).toHaveLength(1)
  expect(runningWork.size).toBe(0)
})

test('a stopped export no longer counts as running work, although its response has not come', async () => {
  const requests = await showButton()
  await pressButton()
  expect(runningWork.size).toBe(1)
  await pressButton()
  expect(runningWork.size).toBe(0)
  // The next export counts, also when the response of the stopped one comes.
  await pressButton()
  await respond(requests[0], pageOf(500, false))
  expect(runningWork.size).toBe(1)
  await respond(requests[1], pageOf(400, true))
  expect(runningWork.size).toBe(0)
})

test('leaving the page stops a running export', async () => {
  const requests = await showButton()
  await pressButton()
  act(() => reactRoot.render(null))
  await respond(requests[0], pageOf(500, false))
  expect(requests).toHaveLength(1)
  expect(downloadedNames).toEqual([])
})
