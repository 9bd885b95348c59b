// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { acme, ana, type LoneTab, openLoneTab, serverRow } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { knownUserKey } from '#web/data/server/session-token.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { addToQueue, updateQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { SignOutDialog } from './sign-out-dialog.tsx'
import { useSignOut } from './use-sign-out.ts'

renderInPage()

const onShowAttention = vi.fn()
const onSignedOut = vi.fn()

function Page({ hasList }: { hasList: boolean }) {
  const signingOut = useSignOut(onSignedOut)
  return (
    <>
      <button type="button" id="sign-out" onClick={signingOut.ask} />
      <SignOutDialog {...signingOut} {...(hasList && { onShowAttention })} />
    </>
  )
}

const operation = (id: string, state: Operation['state'] = 'waiting') =>
  testOperation({ userId: ana, brandId: acme, id, state, rowId: id })
const title = () => document.querySelector('h2')?.textContent
/** The buttons of the dialog, without the cross. */
const buttons = () => [...document.querySelectorAll<HTMLElement>('[role=dialog] button')].slice(1)
const labels = () => buttons().map(({ textContent }) => textContent)
const press = (label: string) =>
  act(async () =>
    buttons()
      .find(({ textContent }) => textContent === label)
      ?.click(),
  )

/** Opens a tab with these operations, and chooses 'Sign Out'. `hasList`: the page can show the list of operations. */
async function signOutWith(operations: readonly Operation[], hasList = true): Promise<LoneTab> {
  onShowAttention.mockReset()
  onSignedOut.mockReset()
  const tab = await openLoneTab()
  await keyValueStore(tab.device).set(knownUserKey, JSON.stringify({ userId: ana, email: 'ana@acme.test' }))
  for (const each of operations) await addToQueue(tab.device, each)
  act(() =>
    reactRoot.render(
      <DeviceContext value={tab.device}>
        <Page hasList={hasList} />
      </DeviceContext>,
    ),
  )
  await act(async () => document.getElementById('sign-out')?.click())
  await vi.waitFor(() => expect(title()).toBeDefined())
  return tab
}

test('if the waiting changes are sent while the dialog is open, the person can simply sign out', async () => {
  const { device } = await signOutWith([operation('a'), operation('b')])
  expect(title()).toBe('2 changes are not sent yet')
  expect(labels()).toEqual(['Send', 'Discard', 'Cancel'])
  await act(() => updateQueue(device, ana, ['a'], []))
  expect(title()).toBe('1 change is not sent yet')
  await act(() => updateQueue(device, ana, ['b'], []))
  expect(title()).toBe('All changes saved')
  expect(labels()).toEqual(['Sign Out', 'Cancel'])
  await press('Sign Out')
  await vi.waitFor(() => expect(onSignedOut).toHaveBeenCalled())
})

test('if all that remains needs a decision, the dialog says so and shows the list', async () => {
  const { device } = await signOutWith([operation('a', 'conflict'), { ...operation('later'), rowId: 'a' }])
  expect(title()).toBe('1 change needs your decision')
  expect(labels()).toEqual(['Needs attention', 'Discard all 2', 'Cancel'])
  await act(() => addToQueue(device, operation('b', 'failed')))
  expect(title()).toBe('2 changes need your decision')
  await press('Discard')
  await vi.waitFor(() => expect(labels()).toEqual(['Needs attention', 'Discard all 3', 'Cancel']))
  expect(onSignedOut).not.toHaveBeenCalled()
  await press('Needs attention')
  expect(onShowAttention).toHaveBeenCalledOnce()
  expect(document.querySelector('[data-modal-layer]:not([inert])')).toBeNull()
})

test('Send sends what can be sent, and then the dialog names what needs a decision', async () => {
  const { network } = await signOutWith([operation('a', 'failed'), operation('b')])
  expect(title()).toBe('2 changes are not sent yet')
  network.on('PATCH /rest/v1/deals', () => ({ body: [serverRow({ id: 'b' })] }))
  await press('Send')
  await vi.waitFor(() => expect(title()).toBe('1 change needs your decision'))
})

test('a page without the list says where the person can decide', async () => {
  await signOutWith([operation('a', 'conflict')], false)
  expect(labels()).toEqual(['Discard', 'Cancel'])
  expect(document.querySelector('[role=dialog]')?.textContent).toContain(
    'To decide, open a brand and press “Needs attention”.',
  )
})
