import { expect, test } from 'vitest'
import { searchedWords } from '#web/data/query/search-text.ts'
import { markedParts } from './marked-parts.ts'

/** Returns the text with the marked parts in brackets. */
function withBrackets(text: string, search: string): string {
  let shown = ''
  let at = 0
  for (const [start, end] of markedParts(text, searchedWords(search).flat())) {
    shown += `${text.slice(at, start)}[${text.slice(start, end)}]`
    at = end
  }
  return shown + text.slice(at)
}

test.each([
  ['Anja Vögt', 'vogt anja', '[Anja] [Vögt]'],
  ['Anja Vögt', 'VOEGT', 'Anja [Vögt]'],
  ['Straßer', 'strass', '[Straß]er'],
  ['Mu\u0308ller', 'mull', '[Mu\u0308ll]er'],
  ['+49 171 2345-678', '0171', '+49 [171] 2345-678'],
  ['+49 171 2345-678', '1712345', '+49 [171 2345]-678'],
  ['banana', 'ana', 'b[ana]na'],
  ['banana', 'an na', 'b[anana]'],
  ['😀 Zoë', 'zoe', '😀 [Zoë]'],
  ['Zoë', 'x', 'Zoë'],
  ['Zoë', ' ', 'Zoë'],
])('the search in "%s" for "%s" marks "%s"', (text, search, shown) => {
  expect(withBrackets(text, search)).toBe(shown)
})
