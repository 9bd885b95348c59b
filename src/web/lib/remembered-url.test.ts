import { expect, test } from 'vitest'
import { isBelowCrm } from './remembered-url.ts'

test('a URL of the app below /crm is recognised', () => {
  for (const url of ['/crm/deals', '/crm/contacts?q=ana', '/crm/deals/1#notes']) expect(isBelowCrm(url)).toBe(true)
})

test('no other URL of the app and no URL of another site counts as below /crm', () => {
  const urlsOutside = ['https://evil.example/crm/', '//evil.example/crm/', '/crm/../auth', '/crm', '/auth', 'crm/deals']
  for (const url of [...urlsOutside, '/crm/\\evil', '/\\evil.example/crm/', '']) expect(isBelowCrm(url)).toBe(false)
})
