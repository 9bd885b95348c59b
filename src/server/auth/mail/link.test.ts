import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { codeFromId, linkTypes, linkUrl, linkToken, pathWithin, readLinkToken } from './link.ts'

const secret = randomBytes(32)
const id = randomUUID()

describe('the token of a link', () => {
  it('the id of a link’s token can be read only with the type and the secret of this link', () => {
    for (const type of linkTypes) {
      const token = linkToken(type, id, secret)
      expect(token).toMatch(/^[\w-]{64}$/)
      for (const other of linkTypes) expect(readLinkToken(other, token, secret)).toBe(other === type ? id : null)
      expect(readLinkToken(type, token, randomBytes(32))).toBeNull()
    }
  })

  it('a link’s token that was changed, truncated or extended is refused', () => {
    const token = linkToken('recovery', id, secret)
    const bytes = Buffer.from(token, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(readLinkToken('recovery', changed.toString('base64url'), secret)).toBeNull()
    }
    for (const text of ['', token.slice(1), `${token}A`, ` ${token}`, 'x'.repeat(64), '\0'.repeat(64)]) {
      expect(readLinkToken('recovery', text, secret)).toBeNull()
    }
  })

  it('the URL of a link opens a page of the app, and all parameters of the URL are in its fragment', () => {
    const link = { type: 'signup', id, next: '/a?b=c&d', email: 'ana+crm@acme.example' } as const
    const url = new URL(linkUrl('https://crm.example.com', link, secret))
    expect(url.origin + url.pathname + url.search).toBe('https://crm.example.com/auth/confirm')
    expect(Object.fromEntries(new URLSearchParams(url.hash.slice(1)))).toEqual({
      token_hash: linkToken('signup', id, secret),
      type: 'signup',
      next: '/a?b=c&d',
      email: 'ana+crm@acme.example',
    })
  })

  it('the code that is derived from an id has six digits, and is always the same for this id', () => {
    for (let round = 0; round < 200; round++) expect(codeFromId(randomUUID(), secret)).toMatch(/^\d{6}$/)
    expect(codeFromId(id, secret)).toBe(codeFromId(id, secret))
  })
})

describe('the path that the app opens after a link', () => {
  const site = 'https://crm.example.com'

  it.each([
    ['/some-page', '/some-page'],
    ['https://crm.example.com/some-page?a=1', '/some-page?a=1'],
    ['https://crm.example.com/x#access_token=1', '/x'],
    ['deep/er', '/deep/er'],
  ])('the path of the redirect %s is accepted', (wanted, path) => {
    expect(pathWithin(site, wanted)).toBe(path)
  })

  it.each([
    null,
    '',
    'https://evil.example/some-page',
    'https://crm.example.com.evil.example/',
    'https://crm.example.com@evil.example/',
    'https://user:pass@crm.example.com/x',
    'http://crm.example.com/some-page',
    'https://crm.example.com:8443/',
    '//evil.example/x',
    '/\\evil.example/x',
    '\\\\evil.example/x',
    '/%09/evil.example'.replace('%09', '\t'),
    'https://crm.example.com//evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '/auth/v1/logout',
    '/rest/v1/x',
    `/${'x'.repeat(600)}`,
  ])('the redirect %s is replaced by the start page', (wanted) => {
    expect(pathWithin(site, wanted)).toBe('/')
  })
})
