// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { acme, openLoneTab } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { queueLine } from '#web/data/changes/queue-lines.ts'
import { membershipsOf } from '#web/data/people/brands.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { AttentionLine } from './attention-line.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'

renderInPage()

const conflicts = [
  { field: 'amount', base: 1, mine: 5, theirs: 9 },
  { field: 'name', base: 'Roof', mine: 'Roofs', theirs: 'The roof' },
]

/** Shows the line of a conflict in the brand Birch, and the question about it, in a tab in which Acme is open. */
async function show(parts: Partial<Operation>): Promise<string> {
  const { device } = await openLoneTab()
  const membership = { role: 'member', slug: '' } as const
  membershipsOf(device).set({
    ...membershipsOf(device).get(),
    memberships: [
      { ...membership, brandId: acme, name: 'Acme' },
      { ...membership, brandId: 'birch', name: 'Birch' },
    ],
  })
  const operation = testOperation({ brandId: 'birch', title: 'Amount', state: 'conflict', theirsBy: 'bo', ...parts })
  const line = queueLine(device, operation, [operation])
  await act(async () =>
    reactRoot.render(
      <DeviceContext value={device}>
        <AttentionLine line={line} onDecide={async () => {}} onEdit={() => {}} />
        <ConflictDialog line={line} onClose={() => {}} />
      </DeviceContext>,
    ),
  )
  return document.body.textContent
}

test('the question about a conflict in another brand does not write “A colleague” inside a sentence', async () => {
  const text = await show({ conflicts: conflicts.slice(0, 1) })
  expect(text).toContain('A colleague changed the amount too.')
  expect(text).toContain('You and a colleague both changed the amount of this deal. It was 1.')
  expect(await show({ conflicts })).toContain('You and a colleague both changed this deal.')
})

test('the question about a conflict names the user’s other device, and no time that is not known', async () => {
  const text = await show({ conflicts: conflicts.slice(0, 1), theirsBy: 'ana' })
  expect(text).toContain('Your other device changed the amount too.')
  expect(text).toContain('You and your other device both changed the amount of this deal.')
  expect(text).toContain('Your other device9')
})

test('the question about a record that already existed says so, because there is no earlier value', async () => {
  const text = await show({ conflicts: [{ field: 'name', base: undefined, mine: 'Tipo', theirs: 'Typo' }] })
  expect(text).toContain('You changed the name of this deal, which already existed when you added it.')
})

test('a line under “Needs attention” names its brand, unless this brand is open', async () => {
  expect(await show({ conflicts })).toContain('AmountIn the brand BirchA colleague changed')
  expect(await show({ conflicts, brandId: acme })).toContain('AmountA colleague changed')
})
