// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
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
] as const)(
  'the warning below a range of a %s field says why the range %s is empty, if it is',
  (type, range, words) => {
    const field = serverRow({ ...fieldParts, type })
    act(() => reactRoot.render(<RangeFacet field={field} chosen={[range]} onChange={() => {}} />))
    expect(document.querySelector('p.text-warn')?.textContent).toBe(words)
  },
)

test('a bound of a date with a year of two digits is refused, also when its field loses the focus', () => {
  const onChange = vi.fn()
  const field = serverRow({ ...fieldParts, type: 'date' as const })
  act(() => reactRoot.render(<RangeFacet field={field} chosen={[]} onChange={onChange} />))
  const input = document.querySelector('input')
  act(() => input?.focus())
  act(() => {
    // React notices a new value only if the setter of the prototype has set it.
    Reflect.set(HTMLInputElement.prototype, 'value', '12 Apr 85', input)
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  expect(document.querySelector('p.num')?.textContent).toBeUndefined()
  act(() => input?.blur())
  expect(document.querySelector('[role=alert]')?.textContent).toBe('Write the year with four digits')
  expect(onChange).not.toHaveBeenCalled()
})
