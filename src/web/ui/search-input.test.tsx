// @vitest-environment happy-dom
import { act, useState } from 'react'
import { expect, test } from 'vitest'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { SearchInput } from './search-input.tsx'

renderInPage()

function Search() {
  const [text, setText] = useState('山')
  return <SearchInput value={text} onChange={setText} label="Search deals..." />
}

test('Escape clears the search, unless it belongs to an input method', () => {
  act(() => reactRoot.render(<Search />))
  const field = document.querySelector('input')
  const pressEscape = (init: KeyboardEventInit = {}) =>
    act(() => void field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, ...init })))
  pressEscape({ isComposing: true })
  expect(field?.value).toBe('山')
  pressEscape()
  expect(field?.value).toBe('')
})
