// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { locationOf, readEntry, withSearch, writeEntry } from './page-location.ts'

test('a URL is parsed into its parts', () => {
  const location = locationOf('/crm/deals/42?mine=1#note-7', { overList: true }, 'k')
  expect(location).toEqual({
    address: '/crm/deals/42?mine=1#note-7',
    pathname: '/crm/deals/42',
    search: { mine: 1 },
    hash: 'note-7',
    state: { overList: true },
    key: 'k',
  })
  expect(withSearch(location, { mine: undefined, sort: 'name' })).toMatchObject({
    address: '/crm/deals/42?sort=name#note-7',
    search: { sort: 'name' },
  })
})

test.each([
  ['/no such/päge', '/no such/päge'],
  ['/no/%E0%A4%A', '/no/%E0%A4%A'],
  ['/crm/../auth', '/auth'],
  ['//evil.example/crm', '/crm'],
  ['/\\evil.example/crm', '/crm'],
  ['https://evil.example/crm', '/crm'],
])('the path %s stays inside the app', (address, pathname) => {
  const location = locationOf(address)
  expect(location.pathname).toBe(pathname)
  expect(new URL(location.address, 'http://here.example').origin).toBe('http://here.example')
})

test('each location has its own key', () => {
  expect(new Set(Array.from({ length: 100 }, () => locationOf('/crm').key)).size).toBe(100)
})

test('a history entry is read as it was written, without the fields that dialogs add', () => {
  const written = locationOf('/auth/mail?x=1#y', { email: 'ana@acme.example', mail: 'signup' })
  writeEntry(written, false)
  expect(readEntry()).toEqual(written)
  history.replaceState({ ...history.state, layers: 1 }, '')
  expect(readEntry()).toEqual(written)
  // An entry that an earlier version of the app wrote, with TanStack Router.
  history.replaceState({ overList: true, key: 'k', __TSR_key: 'k', __TSR_index: 3 }, '')
  expect(readEntry()).toMatchObject({ address: written.address, state: { overList: true }, key: 'k' })
  history.replaceState(null, '')
  expect(readEntry()).toEqual({ ...written, state: {}, key: '' })
})
