import { expect, test, vi } from 'vitest'
import { storeLink, mailedLinkOf, takeStoredLink } from './mailed-link.ts'

const link = { tokenHash: 'abc-1_', type: 'invite', next: '/crm/deals?mine=1&sort=name', email: 'ana+crm@acme.example' }
const linkParameters = new URLSearchParams({
  token_hash: link.tokenHash,
  type: 'invite',
  next: link.next,
  email: link.email,
})

test('a link is read from the fragment, and from the query in older emails', () => {
  expect(mailedLinkOf(`/auth/confirm#${linkParameters}`)).toEqual(link)
  expect(mailedLinkOf(`/auth/confirm?${linkParameters}`)).toEqual(link)
  expect(mailedLinkOf(`https://crm.example.com/auth/confirm?utm=1#${linkParameters}`)).toEqual(link)
})

test('values that a link does not contain are empty, and a URL with neither a token nor a type is not a link', () => {
  expect(mailedLinkOf('/auth/confirm#type=recovery')).toEqual({ tokenHash: '', type: 'recovery', next: '', email: '' })
  expect(mailedLinkOf('/auth/confirm')).toBeNull()
  expect(mailedLinkOf('/auth/confirm#main')).toBeNull()
})

test('a stored link is returned once, unchanged', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
  storeLink(link)
  expect(takeStoredLink()).toEqual(link)
  expect(takeStoredLink()).toBeNull()
  vi.unstubAllGlobals()
})
