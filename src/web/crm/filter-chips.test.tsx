// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { FilterChips } from './filter-chips.tsx'
import type { ChangeFilters, Filters } from './list-filters.ts'

renderInPage()

test('a filter by a field or an option that was retired has a chip that removes it', async () => {
  const { data, device } = await openLoneTab()
  const field = { table: 'contacts' as const, position: 1, currency: null, retired_at: null }
  const options = [
    { id: 'fair', label: 'Fair' },
    { id: 'web', label: 'Web', retired: true },
  ]
  putRows(
    data,
    'custom_fields',
    { ...field, id: 'source', label: 'Source', type: 'choice', options },
    { ...field, id: 'vip', label: 'VIP', type: 'yes_no', options: [], retired_at: '2026-11-20T09:00:00Z' },
  )
  let filters: Filters = { 'one.source': ['web'], 'is.vip': ['true'] }
  const onChange: ChangeFilters = (change) => {
    filters = change(filters)
  }
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <FilterChips table="contacts" filters={filters} onChange={onChange} />
      </DeviceContext>,
    ),
  )
  const chips = [...document.querySelectorAll('button')]
  expect(chips.map((chip) => chip.getAttribute('aria-label'))).toEqual([
    'Source: Web. Remove this filter',
    'VIP: Yes. Remove this filter',
  ])
  // A value alone ('Yes') does not say which field it belongs to.
  expect(chips.map((chip) => chip.textContent)).toEqual(['Source: Web', 'VIP: Yes'])
  act(() => chips[0]?.click())
  expect(filters).toEqual({ 'one.source': [], 'is.vip': ['true'] })
})
