import { expect, test } from 'vitest'
import { isBelowCrm } from './remembered-url.ts'

test('a URL of the app below /crm is recognised', () => {
  for (const address of ['/crm/deals', '/crm/contacts?q=ana', '/crm/deals/1#notes'])
    expect(isBelowCrm(address)).toBe(true)
})

test('no other URL of the app and no URL of another site counts as below /crm', () => {
  const outside = ['https://evil.example/crm/', '//evil.example/crm/', '/crm/../auth', '/crm', '/auth', 'crm/deals']
  for (const address of [...outside, '/crm/\\evil', '/\\evil.example/crm/', '']) expect(isBelowCrm(address)).toBe(false)
})
