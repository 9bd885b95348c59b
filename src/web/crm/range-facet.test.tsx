// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { serverRow } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { RangeFacet } from './range-facet.tsx'

renderInPage()

const fieldParts = {
  id: 'f',
  table: 'contacts' as const,
  key: 'field',
  label: 'Field',
  options: [],
  currency: null,
  required: false,
  position: 1,
  retired_at: null,
  created_by: null,
}

test.each([
  ['number', '10..5', '‘To’ is less than ‘From’.'],
  ['money', '10..9.99', '‘To’ is less than ‘From’.'],
  ['date', '2026-11-30..2026-11-29', '‘To’ is before ‘From’.'],
  ['number', '5..10', undefined],
] as const)('a range of a %s field that contains no value says so in fitting words: %s', (type, range, words) => {
  const field = serverRow({ ...fieldParts, type })
  act(() => reactRoot.render(<RangeFacet field={field} chosen={[range]} onChange={() => {}} />))
  expect(document.querySelector('p.text-warn')?.textContent).toBe(words)
})
