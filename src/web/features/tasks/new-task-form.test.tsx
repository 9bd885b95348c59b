// @vitest-environment happy-dom
import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { acme, ana, type LoneTab, openLoneTab } from '#tests/harness/lone-tab.ts'
import type { PreparedResponse } from '#tests/harness/prepared-network.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { draftsKey } from '#web/data/session/stored-user.ts'
import { readFormDraft } from '#web/data/store/drafts.ts'
import { queue } from '#web/data/store/queue.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { NewTaskForm } from './new-task-form.tsx'

renderInPage()
beforeEach(() => sessionStorage.clear())

const onClose = vi.fn()
const openTab = (indexedDB?: IDBFactory) => openLoneTab({ tabStorage: sessionStorage, ...(indexedDB && { indexedDB }) })
const draftOf = ({ device, data }: LoneTab) => readFormDraft(device, data, 'tasks')
const operationsOf = ({ device }: LoneTab) => queue(device).get().operations
const titleField = () => document.querySelector<HTMLInputElement>('input[name=title]')
const submit = () => act(async () => document.querySelector('form')?.requestSubmit())

/** Closes the page, as a reload does, and opens the form in a tab. */
async function openForm(tab: LoneTab) {
  onClose.mockReset()
  act(() => reactRoot.render(null))
  await act(async () =>
    reactRoot.render(
      <DeviceContext value={tab.device}>
        <NewTaskForm open onClose={onClose} />
        <Toaster />
      </DeviceContext>,
    ),
  )
}

function type(title: string) {
  const field = titleField()
  act(() => {
    // React does not notice a value that is set on the element itself.
    Reflect.set(HTMLInputElement.prototype, 'value', title, field)
    field?.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

/** Opens a tab and the form, types a title, and submits the form. `respond` sends the server's response. */
async function submitTask(title: string) {
  const tab = await openTab()
  let respond: (response: PreparedResponse) => void = () => {}
  const response = new Promise<PreparedResponse>((resolve) => {
    respond = resolve
  })
  tab.network.on('POST /rest/v1/tasks', () => response)
  await openForm(tab)
  type(title)
  await submit()
  await vi.waitFor(() => expect(tab.network.of('POST /rest/v1/tasks')).toHaveLength(1))
  return { tab, respond }
}

test('if the tab is reloaded while a new record is sent, its form is empty; the outbox has the record once', async () => {
  const { tab } = await submitTask('Call back')
  type('Call back on Monday')
  expect(draftOf(tab)).toMatchObject({ title: 'Call back on Monday' })
  const reloaded = await openTab(tab.device.indexedDB)
  await openForm(reloaded)
  expect(titleField()?.value).toBe('')
  expect(draftOf(reloaded)).toBeUndefined()
  expect(operationsOf(reloaded)).toMatchObject([{ kind: 'insert', values: { title: 'Call back' } }])
})

test('if the server refuses the record, the form keeps its input, also over a reload; an edit then is not the refused record any more', async () => {
  const { tab, respond } = await submitTask('Call back')
  const [{ rowId } = { rowId: '' }] = operationsOf(tab)
  expect(draftOf(tab)).toMatchObject({ newRow: { id: rowId } })
  await act(async () => respond({ status: 403, body: { code: '42501', message: 'no' } }))
  await vi.waitFor(() => expect(document.body.textContent).toContain('Error creating task'))
  await vi.waitFor(() => expect(operationsOf(tab)).toEqual([]))
  expect(onClose).not.toHaveBeenCalled()
  type('Call back on Monday')
  expect(draftOf(tab)).toMatchObject({ title: 'Call back on Monday' })
  expect(draftOf(tab)).not.toHaveProperty('newRow')
  await openForm(await openTab(tab.device.indexedDB))
  expect(titleField()?.value).toBe('Call back on Monday')
})

test('two tabs with the same draft create two records, with two ids', async () => {
  const tab = await openTab()
  await openForm(tab)
  type('Call back')
  const copy = sessionStorage.getItem(draftsKey(ana, acme)) ?? ''
  await submit()
  const ids = operationsOf(tab).map(({ rowId }) => rowId)
  sessionStorage.setItem(draftsKey(ana, acme), copy)
  const duplicate = await openTab(tab.device.indexedDB)
  await openForm(duplicate)
  expect(titleField()?.value).toBe('Call back')
  await submit()
  await vi.waitFor(() => expect(operationsOf(duplicate)).toHaveLength(2))
  expect(operationsOf(duplicate).filter(({ rowId }) => ids.includes(rowId))).toHaveLength(1)
})
