// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { acme, ana, bo, openLoneTab, untilIdle } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { queueLine } from '#web/data/changes/queue-lines.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { addToQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { AttentionLine } from './attention-line.tsx'

renderInPage()

const body = `Ask @[Bo](user:${bo}) about the **roof**.\n\n- Second line`
const title = 'Note on “Bulk0”'

/** Shows the line of an operation of a note. Returns the text of the note, or null if the line does not show it. */
async function show(parts: Partial<Operation>): Promise<string | null> {
  const { device } = await openLoneTab()
  const refused = { kind: 'insert', state: 'failed', code: '23503', title } as const
  const operation = testOperation({ userId: ana, brandId: acme, table: 'notes', ...refused, ...parts })
  await addToQueue(device, operation)
  const line = queueLine(device, operation, [operation])
  await act(async () => {
    reactRoot.render(
      <DeviceContext value={device}>
        <AttentionLine line={line} onDecide={async () => {}} onEdit={() => {}} />
      </DeviceContext>,
    )
    await import('./refused-note.tsx')
    await untilIdle()
  })
  return document.querySelector('[role=region]')?.textContent ?? null
}

const labels = () => [...document.querySelectorAll('button')].map((button) => button.textContent)
const shownText = 'Ask @Bo about the **roof**.\n\n- Second line'

test('the line of a refused note shows its text, with mentions as names, and copies it', async () => {
  expect(await show({ values: { body, contact_id: 'bulk' } })).toBe(shownText)
  expect(document.querySelector('[role=region]')?.getAttribute('tabindex')).toBe('0')
  expect(labels()).toEqual(['Copy text', 'Retry', 'Discard'])
  const button = document.querySelector('button')
  expect(button?.getAttribute('aria-label')).toBe(`Copy text: ${title}`)
  const writeText = vi.fn(async () => {})
  vi.stubGlobal('navigator', { clipboard: { writeText } })
  await act(async () => button?.click())
  expect(writeText).toHaveBeenCalledWith(shownText)
})

test('the line shows the text of an edited note that was deleted, and of a note whose restore was refused', async () => {
  expect(await show({ kind: 'update', state: 'deleted', values: { body } })).toBe(shownText)
  expect(labels()).toEqual(['Copy text', 'Restore', 'Discard'])
  expect(await show({ kind: 'restore', values: {}, rowIds: ['n'], rowId: 'n', restored: { n: { body } } })).toBe(
    shownText,
  )
})

test('the line shows no text if the operation has none, or if the user has to decide between two values', async () => {
  expect(await show({ kind: 'delete', values: {} })).toBeNull()
  expect(await show({ table: 'tasks', values: { body } })).toBeNull()
  const conflicts = [{ field: 'body', base: 'a', mine: body, theirs: 'b' }]
  expect(await show({ kind: 'update', state: 'conflict', values: { body }, conflicts })).toBeNull()
  expect(labels()).toEqual(['Decide'])
})
