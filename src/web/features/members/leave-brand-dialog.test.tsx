// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { acme, ana, bo, openLoneTab, untilIdle } from '#tests/harness/lone-tab.ts'
import { renderInPage, reactRoot } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { membershipsOf } from '#web/data/people/brands.ts'
import { LeaveBrandDialog } from './leave-brand-dialog.tsx'

renderInPage()

/** Opens Ana's dialog to leave Acme. Ana is an owner; `otherRoles`: the roles of the other members. `isOpened`: whether Ana has opened the brand. */
async function openDialog(otherRoles: readonly string[], isOpened = true) {
  const { device, network } = await openLoneTab()
  const joined = { created_at: '2026-11-01T09:00:00+00:00' }
  network.on('POST /rest/v1/rpc/list_brand_members', () => ({
    body: [
      { user_id: ana, email: 'ana@acme.test', role: 'owner', ...joined },
      ...otherRoles.map((role) => ({ user_id: bo, email: 'bo@acme.test', role, ...joined })),
    ],
  }))
  const membership = { brandId: acme, name: 'Acme', slug: 'acme', role: 'owner' as const }
  const memberships = [isOpened ? membership : { ...membership, added: { by: 'Bo' } }]
  membershipsOf(device).set({ userId: ana, ready: true, fresh: true, memberships, error: null })
  activeBrandState(device).set({ ready: true, brandId: acme, lost: null })
  network.on('POST /rest/v1/rpc/member_records', () => ({ body: {} }))
  act(() =>
    reactRoot.render(
      <DeviceContext value={device}>
        <LeaveBrandDialog open brandName="Acme" onClose={() => {}} onLeft={() => {}} />
      </DeviceContext>,
    ),
  )
  await act(() => untilIdle())
  const dialog = document.querySelector('[role=dialog]')
  const leave = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Leave')
  return { text: dialog?.textContent, mayLeave: leave?.getAttribute('aria-disabled') !== 'true' && !leave?.disabled }
}

test.each([
  ['an owner beside another owner', ['owner'], true, 'You lose access at once'],
  ['the last owner', ['admin'], false, 'Make another member an owner first, or hand the brand over.'],
  ['an only member', [], false, 'Delete it instead.'],
])('%s reads before the confirmation whether they can leave', async (_, otherRoles, mayLeave, sentence) => {
  const dialog = await openDialog(otherRoles)
  expect(dialog.text).toContain(sentence)
  expect(dialog.mayLeave).toBe(mayLeave)
})

test('the last owner of a brand that they have never opened can leave it', async () => {
  const dialog = await openDialog(['admin'], false)
  expect(dialog.text).toContain('another member becomes the owner')
  expect(dialog.mayLeave).toBe(true)
})
