import { beforeEach, expect, test, vi } from 'vitest'
import { followConflict } from '#web/data/changes/follow-conflict.ts'
import type { Notice } from '#web/data/changes/notice.ts'
import { subscribeToNotices } from '#web/data/changes/notices.ts'
import { readMergedId } from '#web/data/store/merged-ids.ts'
import { dataOf, goOffline, goOnline, makeDeal, stageOf, untilSent, waitOptions } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme } from '../harness/acme-scene.ts'

setUpAcme()

let notices: Notice[] = []
beforeEach(() => {
  notices = []
  subscribeToNotices(acme.tab.device, (notice) => notices.push(notice))
})

const noFields = { first_name: null, last_name: null, phone: null, title: null, company: null }
async function addContactOffline(email: string): Promise<string> {
  const outcome = await acme.tab.addContact(acme.tab.device, { ...noFields, email })
  return outcome.status === 'queued' ? outcome.id : expect.fail(outcome.status)
}
async function colleagueAdds(
  table: 'contacts' | 'companies' | 'tags',
  values: Record<string, string>,
): Promise<string> {
  const columns = Object.keys(values).join(', ')
  const parameters = Object.keys(values).map((_, index) => `$${index + 2}`)
  const [row] = await inDatabase<{ id: string }>(
    `insert into public.${table} (brand_id, ${columns}) values ($1, ${parameters.join(', ')}) returning id`,
    acme.brandId,
    ...Object.values(values),
  )
  return row?.id ?? ''
}
const operations = () => acme.tab.queue(acme.tab.device).get().operations

test('a contact that is added and deleted offline does not delete the contact that a colleague has added with the same address', async () => {
  const { tab } = acme
  const dealId = await makeDeal(tab)
  goOffline(acme)
  const ownIds = [await addContactOffline('lea@harbour.test'), await addContactOffline('own@harbour.test')]
  await tab.deleteRecords(tab.device, 'contacts', ownIds)
  const colleaguesId = await colleagueAdds('contacts', { email: 'lea@harbour.test', first_name: 'Lea' })
  await inDatabase('update public.deals set contact_id = $2 where id = $1', dealId, colleaguesId)
  await goOnline(acme)
  await untilSent(tab)
  expect(await inDatabase(`select id, first_name from public.contacts where email like '%@harbour.test'`)).toEqual([
    { id: colleaguesId, first_name: 'Lea' },
  ])
  expect(await inDatabase('select contact_id from public.deals where id = $1', dealId)).toEqual([
    { contact_id: colleaguesId },
  ])
  expect(dataOf(tab).tables.contacts.get(colleaguesId)).toMatchObject({ first_name: 'Lea' })
  expect(notices).toMatchObject([
    { kind: 'merged', text: 'Lea already existed', detail: 'What you added was merged into it. It was not deleted.' },
  ])
  // Undo restores the contact that was deleted, and no other.
  expect(await tab.undoStep(tab.device)?.outcome).toMatchObject({ status: 'saved' })
  expect(await inDatabase(`select email from public.contacts where email like '%@harbour.test' order by 1`)).toEqual([
    { email: 'lea@harbour.test' },
    { email: 'own@harbour.test' },
  ])
  // Another tab may still offer to restore the merged contact. It was never deleted.
  expect(await tab.restoreRecords(tab.device, 'contacts', ownIds.slice(0, 1))).toMatchObject({ status: 'saved' })
  expect(operations()).toEqual([])
  expect(await readMergedId(tab.device, { ...dataOf(tab), table: 'contacts' }, ownIds[0] ?? '')).toBe(colleaguesId)
  expect(await readMergedId(tab.device, { ...dataOf(tab), table: 'contacts' }, ownIds[1] ?? '')).toBeNull()
})

test.each(['mine', 'theirs'] as const)(
  'an address that is corrected offline does not change the contact of a colleague without a question; the answer is %s',
  async (answer) => {
    const { tab } = acme
    const [typed, corrected] = [`typed-${answer}@x.test`, `corrected-${answer}@x.test`]
    goOffline(acme)
    const ownId = await addContactOffline(typed)
    await tab.updateRecord(tab.device, 'contacts', ownId, { title: 'Buyer' })
    await tab.updateRecord(tab.device, 'contacts', ownId, { email: corrected })
    const colleaguesId = await colleagueAdds('contacts', { email: typed, last_name: 'Other' })
    await goOnline(acme)
    await untilSent(tab)
    const emailNow = () => inDatabase('select email, title from public.contacts where id = $1', colleaguesId)
    expect(await emailNow()).toEqual([{ email: typed, title: 'Buyer' }])
    expect(notices).toMatchObject([
      { kind: 'merged', text: 'Other already existed', rowIds: [colleaguesId] },
      { kind: 'attention', rowIds: [colleaguesId] },
    ])
    const [question] = operations()
    expect(question).toMatchObject({
      state: 'conflict',
      rowId: colleaguesId,
      conflicts: [{ field: 'email', mine: corrected, theirs: typed }],
    })
    await tab.resolveConflict(tab.device, question?.id ?? '', answer)
    await untilSent(tab)
    expect(await emailNow()).toEqual([{ email: answer === 'mine' ? corrected : typed, title: 'Buyer' }])
    expect(operations()).toEqual([])
  },
)

test('a question about a corrected address is not answered by another edit, and is asked about the last correction', async () => {
  const { tab } = acme
  goOffline(acme)
  const ownId = await addContactOffline('first@x.test')
  await tab.updateRecord(tab.device, 'contacts', ownId, { email: 'second@x.test', last_name: 'Marsh' })
  await tab.updateRecord(tab.device, 'contacts', ownId, { email: 'third@x.test' })
  const colleaguesId = await colleagueAdds('contacts', { email: 'first@x.test', last_name: 'Other' })
  await goOnline(acme)
  const contactNow = async () =>
    (await inDatabase('select email, last_name from public.contacts where id = $1', colleaguesId))[0]
  const fieldsAsked = () => operations()[0]?.conflicts.map(({ field }) => field)
  await vi.waitFor(() => expect(fieldsAsked()).toEqual(['last_name']), waitOptions)
  await tab.resolveConflict(tab.device, operations()[0]?.id ?? '', 'theirs')
  await vi.waitFor(() => expect(fieldsAsked()).toEqual(['email']), waitOptions)
  const stopFollowing = followConflict(tab.device, operations()[0]?.id ?? '')
  await inDatabase(`update public.contacts set phone = '1' where id = $1`, colleaguesId)
  await tab.requestPull(tab.device)
  expect(operations()).toMatchObject([{ state: 'conflict', values: { email: 'third@x.test' } }])
  stopFollowing()
  await tab.resolveConflict(tab.device, operations()[0]?.id ?? '', 'theirs')
  expect(operations()).toEqual([])
  expect(await contactNow()).toEqual({ email: 'first@x.test', last_name: 'Other' })
})

test('the undo and redo of a corrected address do not change the contact of a colleague', async () => {
  const { tab } = acme
  goOffline(acme)
  const ownId = await addContactOffline('kay@x.test')
  await tab.updateRecord(tab.device, 'contacts', ownId, { email: 'zed@x.test' })
  tab.undoStep(tab.device)
  tab.redoStep(tab.device)
  const colleaguesId = await colleagueAdds('contacts', { email: 'kay@x.test' })
  await goOnline(acme)
  await untilSent(tab)
  expect(operations()).toEqual([])
  expect(await inDatabase('select email from public.contacts where id = $1', colleaguesId)).toEqual([
    { email: 'kay@x.test' },
  ])
})

test('edits of a contact that was added and then deleted offline do not change the contact of a colleague', async () => {
  const { tab } = acme
  goOffline(acme)
  const ownId = await addContactOffline('test@x.test')
  await tab.updateRecord(tab.device, 'contacts', ownId, { title: 'Test', phone: '000' })
  await tab.updateRecord(tab.device, 'contacts', ownId, { email: 'tset@x.test' })
  await tab.deleteRecords(tab.device, 'contacts', [ownId])
  const colleaguesId = await colleagueAdds('contacts', { email: 'test@x.test', title: 'Buyer' })
  await goOnline(acme)
  await untilSent(tab)
  expect(operations()).toEqual([])
  expect(await inDatabase('select email, title, phone from public.contacts where id = $1', colleaguesId)).toEqual([
    { email: 'test@x.test', title: 'Buyer', phone: null },
  ])
  expect(notices).toMatchObject([{ kind: 'merged', detail: 'What you added was merged into it. It was not deleted.' }])
})

test('a company that is renamed offline does not rename the company of a colleague without a question', async () => {
  const { tab } = acme
  goOffline(acme)
  const details = { domain: null, phone: null, website: null, notes: null }
  const outcome = await tab.addCompany(tab.device, { name: 'Typo GmbH', ...details })
  if (outcome.status !== 'queued') return expect.fail(outcome.status)
  await tab.updateRecord(tab.device, 'companies', outcome.id, { name: 'Tipo GmbH' })
  const colleaguesId = await colleagueAdds('companies', { name: 'Typo GmbH' })
  await goOnline(acme)
  await untilSent(tab)
  expect(await inDatabase('select name from public.companies where id = $1', colleaguesId)).toEqual([
    { name: 'Typo GmbH' },
  ])
  expect(operations()).toMatchObject([{ state: 'conflict', conflicts: [{ field: 'name', mine: 'Tipo GmbH' }] }])
  await tab.resolveConflict(tab.device, operations()[0]?.id ?? '', 'theirs')
  expect(operations()).toEqual([])
})

test('a deal whose form was open when its new contact was merged is linked to the existing contact', async () => {
  const { tab } = acme
  goOffline(acme)
  const ownId = await addContactOffline('kim@x.test')
  const colleaguesId = await colleagueAdds('contacts', { email: 'kim@x.test' })
  await goOnline(acme)
  await untilSent(tab)
  const stage_id = stageOf(tab, 'Incoming').id
  const outcome = await tab.createDeal(tab.device, { name: 'Fair', amount: 1, stage_id, contact_id: ownId })
  expect(outcome).toMatchObject({ status: 'saved' })
  expect(await inDatabase('select contact_id from public.deals where name = $1', 'Fair')).toEqual([
    { contact_id: colleaguesId },
  ])
  const gone = await tab.createDeal(tab.device, { name: 'Gone', amount: 1, stage_id, contact_id: crypto.randomUUID() })
  expect(gone).toMatchObject({ status: 'refused', code: '23503' })
})
