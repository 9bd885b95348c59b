import { expect, test } from 'vitest'
import { fakeStorage } from '#tests/harness/fake-browser.ts'
import { acme, ana, type LoneTab, openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { addCompany } from '#web/data/add-company.ts'
import { awaitOutcome, resolveOutcome } from '#web/data/changes/outcomes.ts'
import { readFormDraft, storeFormDraft } from '#web/data/store/drafts.ts'
import { addToQueue, closeQueue, openQueue, queue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { offerDraft, submittedDraft } from './submitted-draft.ts'

const acmeDraft = { name: 'Acme' }
const creation = testOperation({ userId: ana, brandId: acme, table: 'companies', rowId: 'row', kind: 'insert' })

/** Opens a tab in which the form for a company was submitted with the id 'row'. */
async function tabWithSubmittedForm(): Promise<LoneTab> {
  const tab = await openLoneTab({ tabStorage: fakeStorage() })
  storeFormDraft(tab.device, tab.data, 'companies', submittedDraft(acmeDraft, 'row'))
  return tab
}

/** Returns the drafts that a form shows when it opens. */
function shownDrafts({ data }: LoneTab, form = 'companies'): unknown[] {
  const shown: unknown[] = []
  offerDraft(data, form, (draft) => shown.push(draft))
  return shown
}

test('a submitted draft is offered while its record is not on this device, for example because the operation could not be stored', async () => {
  const tab = await tabWithSubmittedForm()
  await addToQueue(tab.device, { ...creation, rowId: 'other' })
  expect(shownDrafts(tab)).toMatchObject([acmeDraft])
  expect(readFormDraft(tab.device, tab.data, 'companies')).toMatchObject(acmeDraft)
})

test('a draft that was not submitted is offered', async () => {
  const tab = await openLoneTab({ tabStorage: fakeStorage() })
  storeFormDraft(tab.device, tab.data, 'companies', acmeDraft)
  expect(shownDrafts(tab)).toEqual([acmeDraft])
})

test.each(['waiting', 'failed'] as const)('a draft whose record is in the outbox (%s) is removed', async (state) => {
  const tab = await tabWithSubmittedForm()
  await addToQueue(tab.device, { ...creation, state })
  expect(shownDrafts(tab)).toEqual([])
  expect(readFormDraft(tab.device, tab.data, 'companies')).toBeUndefined()
})

test('a draft whose record was created is removed, also if the record was deleted since', async () => {
  const tab = await tabWithSubmittedForm()
  putRows(tab.data, 'companies', { id: 'row', name: 'Acme' })
  expect(shownDrafts(tab)).toEqual([])
  const other = await tabWithSubmittedForm()
  putRows(other.data, 'companies', { id: 'row', name: 'Acme' })
  other.data.tables.companies.write([], ['row'])
  expect(shownDrafts(other)).toEqual([])
})

test('while this tab waits for the outcome of the operation, the draft stays, because a refused operation is discarded', async () => {
  const tab = await tabWithSubmittedForm()
  void awaitOutcome(tab.device, creation.id, 3000)
  await addToQueue(tab.device, creation)
  putRows(tab.data, 'companies', { id: 'row', name: 'Acme' })
  expect(shownDrafts(tab)).toMatchObject([acmeDraft])
  resolveOutcome(tab.device, creation.id, { status: 'queued', id: 'row' })
  expect(shownDrafts(tab)).toEqual([])
})

test('a draft that is shown before the outbox has been read is removed from the form when its record is found there', async () => {
  const tab = await tabWithSubmittedForm()
  await addToQueue(tab.device, creation)
  closeQueue(tab.device)
  const shown = shownDrafts(tab)
  expect(shown).toMatchObject([acmeDraft])
  await openQueue(tab.device, ana)
  expect(shown).toHaveLength(2)
  expect(shown[1]).toBeUndefined()
  expect(readFormDraft(tab.device, tab.data, 'companies')).toBeUndefined()
})

test('the tags and the note of a removed draft are added to its record, and to no other one', async () => {
  const tab = await tabWithSubmittedForm()
  const { device, data } = tab
  putRows(data, 'memberships', { id: 'bo', user_id: 'b0000000-0000-4000-8000-000000000000', display_name: 'Bo' })
  storeFormDraft(device, data, 'companies tags and note', { tags: 'vip fair', note: 'Ask @Bo' })
  void addCompany(device, { name: 'Acme', domain: null, phone: null, website: null, notes: null }, 'row')
  const [{ id: addId } = { id: '' }] = queue(device).get().operations
  resolveOutcome(device, addId, { status: 'queued', id: 'row' })
  expect(shownDrafts(tab)).toEqual([])
  expect(shownDrafts(tab, 'companies tags and note')).toEqual([])
  const note = { company_id: 'row', body: 'Ask @[Bo](user:b0000000-0000-4000-8000-000000000000)' }
  expect(queue(device).get().operations).toMatchObject([
    { id: addId },
    { table: 'companies', rowId: 'row', values: { tag_ids: ['fair', 'vip'] } },
    { table: 'notes', values: note },
  ])
})

test('the tags and the note wait behind a refused record, and are dropped if it was deleted', async () => {
  const refused = await tabWithSubmittedForm()
  const drafts = { tags: 'vip', note: 'Met at the fair' }
  await addToQueue(refused.device, { ...creation, state: 'failed' })
  storeFormDraft(refused.device, refused.data, 'companies tags and note', drafts)
  expect(shownDrafts(refused)).toEqual([])
  expect(
    queue(refused.device)
      .get()
      .operations.map(({ state }) => state),
  ).toEqual(['failed', 'waiting', 'waiting'])

  const deleted = await tabWithSubmittedForm()
  putRows(deleted.data, 'companies', { id: 'row', name: 'Acme' })
  deleted.data.tables.companies.write([], ['row'])
  storeFormDraft(deleted.device, deleted.data, 'companies tags and note', drafts)
  expect(shownDrafts(deleted)).toEqual([])
  expect(queue(deleted.device).get().operations).toEqual([])
  expect(readFormDraft(deleted.device, deleted.data, 'companies tags and note')).toBeUndefined()
})
