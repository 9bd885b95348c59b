import { expect, test } from 'vitest'
import { openLoneTab, putRows, serverRow, untilIdle, type LoneTab } from '#tests/harness/lone-tab.ts'
import { pullLine, pullResponse } from '#tests/harness/prepared-pulls.ts'
import { type PreparedResponse, refusalResponse } from '#tests/harness/prepared-network.ts'
import { mergeTags, unmergeTag } from './tag-counts.ts'

const mergeLine = 'POST /rest/v1/rpc/merge_tags'
const undoLine = 'POST /rest/v1/rpc/restore_moved'
const vip = { id: 'vip', name: 'VIP', color: 'red' }
const key = { id: 'key', name: 'Key account', color: 'blue' }
const refusal = refusalResponse(400, '22023', 'Two tags of this brand are needed.')
const vipIsGone = pullResponse({ tombstones: [{ table: 'tags', id: 'vip', version: 2 }] })
const vipIsHere = pullResponse({ rows: { tags: [serverRow(vip)] } })

/** Opens a tab with these tags. `pulled`: the response to each pull. */
async function openTab(tags: readonly (typeof vip)[], pulled: PreparedResponse): Promise<LoneTab> {
  const tab = await openLoneTab()
  putRows(tab.data, 'tags', ...tags)
  tab.network.on(pullLine, () => pulled)
  return tab
}

/** Lets the time pass until the request is sent again. */
async function untilSentAgain({ clock }: LoneTab) {
  await untilIdle()
  clock.advance(1_000)
}

test('a merge whose last answer is lost has succeeded if the tag does not exist afterwards', async () => {
  const tab = await openTab([vip, key], vipIsGone)
  tab.network.onEach(mergeLine, null, refusal)
  const merged = mergeTags(tab.device, 'vip', 'key', () => {})
  await untilSentAgain(tab)
  expect(await merged).toBe(true)
})

test('a merge whose repeated request is refused has failed if the tag still exists, or if the other tag does not', async () => {
  const tab = await openTab([vip, key], pullResponse())
  tab.network.onEach(mergeLine, null, refusal)
  const merged = mergeTags(tab.device, 'vip', 'key', () => {})
  await Promise.all([untilSentAgain(tab), expect(merged).rejects.toThrow('Two tags of this brand are needed.')])

  const otherTab = await openTab([vip], vipIsGone)
  otherTab.network.onEach(mergeLine, null, refusal)
  const otherMerged = mergeTags(otherTab.device, 'vip', 'key', () => {})
  await Promise.all([
    untilSentAgain(otherTab),
    expect(otherMerged).rejects.toThrow('Two tags of this brand are needed.'),
  ])
})

test('a merge whose first request is refused has failed, even if the tag does not exist', async () => {
  const tab = await openTab([key], pullResponse())
  tab.network.on(mergeLine, () => refusal)
  await expect(mergeTags(tab.device, 'vip', 'key', () => {})).rejects.toThrow('Two tags of this brand are needed.')
})

test('a merge stops while it waits to be sent again, and between two requests', async () => {
  const tab = await openTab([vip, key], pullResponse())
  const stopper = new AbortController()
  const counts: number[] = []
  tab.network.onEach(mergeLine, { body: { done: false, count: 500 } }, null)
  const merged = mergeTags(tab.device, 'vip', 'key', (records) => counts.push(records), stopper.signal)
  await untilIdle()
  stopper.abort()
  expect([await merged, counts]).toEqual([false, [500]])

  tab.network.on(mergeLine, () => ({ body: { done: false, count: 500 } }))
  const second = new AbortController()
  expect(await mergeTags(tab.device, 'vip', 'key', () => second.abort(), second.signal)).toBe(false)
  expect(tab.network.of(mergeLine)).toHaveLength(3)
})

test('the undo of a merge whose answer is lost has succeeded if the tag exists afterwards', async () => {
  const tab = await openTab([key], vipIsHere)
  tab.network.onEach(undoLine, null, refusal)
  const undone = unmergeTag(tab.device, 'vip')
  await untilSentAgain(tab)
  await undone
  expect(tab.network.of(undoLine)).toHaveLength(2)

  const otherTab = await openTab([key], pullResponse())
  otherTab.network.onEach(undoLine, null, refusal)
  const refused = unmergeTag(otherTab.device, 'vip')
  await Promise.all([untilSentAgain(otherTab), expect(refused).rejects.toThrow('Two tags of this brand are needed.')])
})
