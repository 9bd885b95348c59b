// @vitest-environment happy-dom
import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { type LoneTab, openLoneTab, serverRow } from '#tests/harness/lone-tab.ts'
import type { PreparedResponse } from '#tests/harness/prepared-network.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { queue } from '#web/data/store/queue.ts'
import { readFormDraft } from '#web/data/store/drafts.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { NewTaskForm } from './new-task-form.tsx'

renderInPage()
beforeEach(() => sessionStorage.clear())

const onClose = vi.fn()
const draftOf = ({ device, data }: LoneTab) => readFormDraft(device, data, 'tasks')
const titleField = () => document.querySelector<HTMLInputElement>('input[name=title]')

/** Opens the form, types a title, and submits the form. `respond` sends the server's response. */
async function submitTask(tab: LoneTab, title: string) {
  onClose.mockReset()
  let respond: (response: PreparedResponse) => void = () => {}
  const response = new Promise<PreparedResponse>((resolve) => {
    respond = resolve
  })
  tab.network.on('POST /rest/v1/tasks', () => response)
  await act(async () =>
    reactRoot.render(
      <DeviceContext value={tab.device}>
        <NewTaskForm open onClose={onClose} />
        <Toaster />
      </DeviceContext>,
    ),
  )
  const field = titleField()
  act(() => {
    // React does not notice a value that is set on the element itself.
    Reflect.set(HTMLInputElement.prototype, 'value', title, field)
    field?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  expect(draftOf(tab)).toMatchObject({ title })
  await act(async () => document.querySelector('form')?.requestSubmit())
  await vi.waitFor(() => expect(tab.network.of('POST /rest/v1/tasks')).toHaveLength(1))
  return { respond }
}

test('a form has no draft any more as soon as its record is stored in the outbox, so a reload does not offer the record again', async () => {
  const tab = await openLoneTab({ tabStorage: sessionStorage })
  const { respond } = await submitTask(tab, 'Call back')
  expect(queue(tab.device).get().operations).toMatchObject([{ values: { title: 'Call back' } }])
  expect(draftOf(tab)).toBeUndefined()
  expect(onClose).not.toHaveBeenCalled()
  const [request] = tab.network.of('POST /rest/v1/tasks')
  await act(async () => respond({ status: 201, body: [serverRow({ ...(request?.body as { id: string }) })] }))
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(draftOf(tab)).toBeUndefined()
})

test('if the server refuses the record, the form keeps its input, and the input is a draft again', async () => {
  const tab = await openLoneTab({ tabStorage: sessionStorage })
  const { respond } = await submitTask(tab, 'Call back')
  expect(draftOf(tab)).toBeUndefined()
  await act(async () => respond({ status: 403, body: { code: '42501', message: 'no' } }))
  await vi.waitFor(() => expect(document.body.textContent).toContain('Error creating task'))
  expect(titleField()?.value).toBe('Call back')
  await vi.waitFor(() => expect(draftOf(tab)).toMatchObject({ title: 'Call back' }))
  expect(onClose).not.toHaveBeenCalled()
})

test('if the server refuses the record after the page was left, the input is a draft again', async () => {
  const tab = await openLoneTab({ tabStorage: sessionStorage })
  const { respond } = await submitTask(tab, 'Call back')
  act(() => reactRoot.render(null))
  expect(draftOf(tab)).toBeUndefined()
  respond({ status: 403, body: { code: '42501', message: 'no' } })
  await vi.waitFor(() => expect(draftOf(tab)).toMatchObject({ title: 'Call back' }))
})
