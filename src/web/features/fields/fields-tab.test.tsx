// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { acme, openLoneTab, untilIdle } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { membershipsOf } from '#web/data/people/brands.ts'
import { FieldsTab } from './fields-tab.tsx'

renderInPage()

test('the tab says where fields are shown', async () => {
  const { device } = await openLoneTab()
  const memberships = [{ brandId: acme, name: 'Acme', slug: 'acme', role: 'member' as const }]
  membershipsOf(device).set({ ...membershipsOf(device).get(), memberships, ready: true })
  activeBrandState(device).set({ ready: true, brandId: acme, lost: null })
  await act(async () => {
    reactRoot.render(
      <DeviceContext value={device}>
        <FieldsTab />
      </DeviceContext>,
    )
    await untilIdle()
  })
  expect(document.querySelector('p')?.textContent).toBe(
    'Fields of your own: on the panel of each record, in ‘Set field…’ for selected ones, in filters (except texts and links), as columns of the list of contacts and, if required, in the forms of new records. Admins and owners define them.',
  )
})
