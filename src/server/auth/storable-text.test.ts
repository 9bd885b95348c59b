import { expect, it } from 'vitest'
import { isStorableText } from './storable-text.ts'

it('a text is storable unless it contains a NUL or half a surrogate pair', () => {
  for (const text of ['', 'a', '😀', 'a\n\t\u0001', '\uffff'])
    expect([text, isStorableText(text)]).toEqual([text, true])
  for (const text of ['\0', 'a\0b', '\ud83d', '\ude00', 'a\ude00\ud83d'])
    expect([text, isStorableText(text)]).toEqual([text, false])
})
