import { afterEach, expect, test, vi } from 'vitest'
import { tabStorage } from './tab-storage.ts'

const original = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage')

afterEach(() => {
  vi.unstubAllGlobals()
  if (original) Object.defineProperty(globalThis, 'sessionStorage', original)
  else Reflect.deleteProperty(globalThis, 'sessionStorage')
})

test('the storage of the tab is that of the browser', () => {
  const storage = { getItem: () => 'stored' }
  vi.stubGlobal('sessionStorage', storage)
  expect(tabStorage()?.getItem('key')).toBe('stored')
})

test('there is no storage of the tab if the browser forbids it', () => {
  Object.defineProperty(globalThis, 'sessionStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    },
  })
  expect(tabStorage()).toBeUndefined()
})
