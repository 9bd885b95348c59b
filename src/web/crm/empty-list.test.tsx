// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { EmptyList, type EmptyListProps } from './empty-list.tsx'

renderInPage()

const ofFilter = 'Only what matches the filter was searched.'
const ofMine = 'Only your own records were searched.'
const ofDevice = 'Offline: only what is on this device was searched.'
const hiddenDeals = 'Deals of other owners are hidden.'

test.each<[string, Partial<EmptyListProps>, hint: string | undefined, buttons: string[]]>([
  ['in all records', {}, undefined, ['Clear search']],
  ['in the person’s own records', { mine: true }, ofMine, ['Clear search', 'Show all contacts']],
  ['in what a filter leaves', { isFiltered: true }, ofFilter, ['Clear search', 'Show all contacts']],
  [
    'in the person’s own records that a filter leaves',
    { mine: true, isFiltered: true },
    `${ofFilter} ${ofMine}`,
    ['Clear search', 'Show all contacts'],
  ],
  ['on the device', { searchedHere: 'everything' }, ofDevice, ['Clear search']],
  ['of an owner', { mine: true, noneOfMine: ['', hiddenDeals] }, hiddenDeals, ['Clear search', 'Show all contacts']],
])('a search without a hit says what was searched: %s', async (_, props, hint, buttons) => {
  const { device } = await openLoneTab()
  const onShowAll = vi.fn()
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <EmptyList
          search="mei"
          mine={false}
          part={undefined}
          isFiltered={false}
          noMatch="No contacts found matching your search"
          noneOfMine={['No contact is yours']}
          showAll="Show all contacts"
          none={['No contacts yet']}
          first={null}
          onClearSearch={() => {}}
          onShowAll={onShowAll}
          {...props}
        />
      </DeviceContext>,
    ),
  )
  expect(document.querySelector('h2')?.textContent).toBe('No contacts found matching your search')
  expect(document.querySelector('p')?.textContent).toBe(hint)
  const shownButtons = [...document.querySelectorAll('button')]
  expect(shownButtons.map(({ textContent }) => textContent)).toEqual(buttons)
  act(() => shownButtons[1]?.click())
  expect(onShowAll).toHaveBeenCalledTimes(buttons.length - 1)
})
