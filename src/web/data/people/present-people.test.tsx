// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { reachable } from '#web/data/server/network.ts'
import { tabPresences } from '#web/data/sync/presence.ts'
import { usePresentPeople } from './present-people.ts'

renderInPage()

function PresentNames() {
  return usePresentPeople()
    .map(({ name, open }) => `${name} ${open.join()}`)
    .join('; ')
}

test('nobody is shown as present while the server is unreachable, because people may have left meanwhile', async () => {
  const { device, data } = await openLoneTab()
  putRows(data, 'memberships', { id: 'm', user_id: 'bo', display_name: 'Bo' })
  tabPresences(device).set([{ user: 'bo', open: '/crm/deals/a' }])
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <PresentNames />
      </DeviceContext>,
    ),
  )
  expect(document.body.textContent).toBe('Bo /crm/deals/a')
  act(() => reachable(device).set(false))
  expect(document.body.textContent).toBe('')
  act(() => reachable(device).set(true))
  expect(document.body.textContent).toBe('Bo /crm/deals/a')
})
