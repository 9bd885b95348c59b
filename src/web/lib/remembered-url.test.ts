import { expect, test } from 'vitest'
import { isInside } from './remembered-url.ts'

test('only URLs of the app are remembered', () => {
  for (const address of ['/crm/deals', '/crm/contacts?q=ana', '/crm/deals/1#notes'])
    expect(isInside(address)).toBe(true)
})

test('no URL of another site is remembered', () => {
  const outside = ['https://evil.example/crm/', '//evil.example/crm/', '/crm/../auth', '/crm', '/auth', 'crm/deals']
  for (const address of [...outside, '/crm/\\evil', '/\\evil.example/crm/', '']) expect(isInside(address)).toBe(false)
})
