// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { selectorOf } from './selector-of.ts'

test('every element of a page is found by its selector', () => {
  document.body.innerHTML = '<main><p></p><ul><li></li><li><b></b></li></ul><p></p></main><div></div>'
  for (const element of document.querySelectorAll('*'))
    expect(document.querySelector(selectorOf(element))).toBe(element)
  expect(selectorOf(document.documentElement)).toBe('html')
})
