// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recoverFromMissingParts } from './missing-parts.ts'

let fileStatus: number | null = null
const reload = vi.fn()
recoverFromMissingParts()

beforeEach(() => {
  vi.spyOn(location, 'reload').mockImplementation(reload)
  vi.stubGlobal('fetch', async () => {
    if (fileStatus === null) throw new TypeError('Failed to fetch')
    return new Response('', { status: fileStatus })
  })
})
afterEach(() => {
  sessionStorage.clear()
  reload.mockClear()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Reports a failed import of this file, as the code that the build adds does. The server has the status, or is unreachable (null). */
async function failImport(file: string, status: number | null): Promise<void> {
  fileStatus = status
  const message = `Failed to fetch dynamically imported module: http://localhost/assets/${file}`
  dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: new Error(message) }))
  await new Promise((resolve) => setTimeout(resolve))
}

test('a file that failed is requested again without a reload, until the server has it again', async () => {
  await failImport('companies.js', null)
  await failImport('companies.js', null)
  await failImport('companies.js', 503)
  expect(reload).not.toHaveBeenCalled()
  await failImport('companies.js', 200)
  expect(reload).toHaveBeenCalledOnce()
})

test('the first failure of a file that the server has does not reload the page', async () => {
  await failImport('tasks.js', 200)
  expect(reload).not.toHaveBeenCalled()
})

test('if the server does not have the file any more, the page reloads once', async () => {
  await failImport('settings.js', 404)
  await failImport('settings.js', 404)
  expect(reload).toHaveBeenCalledOnce()
})

test('a page with typed text does not reload', async () => {
  document.body.innerHTML = '<form><input value="Roof"></form>'
  await failImport('overview.js', 404)
  expect(reload).not.toHaveBeenCalled()
  document.body.replaceChildren()
})
