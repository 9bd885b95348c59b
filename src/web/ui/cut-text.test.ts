// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchCutTexts } from './cut-text.ts'
import { toast, toastStore } from './toast.ts'

watchCutTexts()
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  toast.dismiss()
  vi.useRealTimers()
})

/** Inserts a text into a field, which then has the value `value`. Returns the title of the toast. */
function insert(text: string, value: string, { maxLength = 10, kind = 'input' } = {}): string | null {
  const field = document.createElement(kind)
  if (maxLength > 0) field.setAttribute('maxlength', String(maxLength))
  document.body.append(field)
  field.dispatchEvent(new InputEvent('beforeinput', { data: text, bubbles: true }))
  Reflect.set(field, 'value', value)
  field.remove()
  vi.runAllTimers()
  return toastStore.get()?.title ?? null
}

test.each([
  ['of an empty field', 'Eleven-11-x', 'Eleven-11-'],
  ['after other text', 'Holm', 'Ida and Ho'],
  ['of a field that has no room', 'Holm', '1234567890'],
])('a text whose end was cut is reported: %s', (_, text, value) => {
  expect(insert(text, value)).toBe('At most 10 characters: the end was cut.')
  expect(insert(text, value, { kind: 'textarea' })).toBe('At most 10 characters: the end was cut.')
})

test('the limit has a comma between thousands', () => {
  expect(insert('x'.repeat(10_001), 'x'.repeat(10_000), { maxLength: 10_000 })).toBe(
    'At most 10,000 characters: the end was cut.',
  )
})

test.each([
  ['shorter', 'Ida', 'Ida'],
  ['as long as the limit', '1234567890', '1234567890'],
  ['whose line breaks became spaces', '1234\r\n67890\r\n', '1234 67890'],
])('a text that fits is not reported: %s', (_, text, value) => {
  expect(insert(text, value)).toBeNull()
})

test('a text in a field without a limit, or in an element without a value, is not reported', () => {
  expect(insert('x'.repeat(300), 'x'.repeat(300), { maxLength: 0 })).toBeNull()
  expect(insert('x'.repeat(300), '', { kind: 'div' })).toBeNull()
})
