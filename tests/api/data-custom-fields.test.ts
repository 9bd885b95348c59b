import { afterEach, expect, test } from 'vitest'
import { goOnline, dataOf, goOffline, makeDeal, untilSent } from '../harness/acme.ts'
import { acme, inDatabase, setUpAcme } from '../harness/acme-scene.ts'

setUpAcme()

afterEach(async () => {
  await goOnline(acme)
  await untilSent(acme.tab)
})

const device = () => acme.tab.device
const deal = (id: string) => dataOf(acme.tab).tables.deals.get(id)
const fieldsInUse = () => acme.tab.customFieldsOf(dataOf(acme.tab), 'deals')
const editDeal = (id: string, patch: Parameters<typeof acme.tab.updateRecord<'deals'>>[3]) =>
  acme.tab.updateRecord(device(), 'deals', id, patch)
const storedCustom = async (id: string) =>
  (await inDatabase<{ custom: unknown }>('select custom from public.deals where id = $1', id))[0]?.custom

async function defineField(
  label: string,
  type: 'text' | 'number' | 'choice' = 'text',
  options: { id: string; label: string }[] = [],
) {
  const draft = { table: 'deals', type, label, options, currency: null, required: false } as const
  const outcome = await acme.tab.addCustomField(device(), { ...draft, options })
  if (outcome.status === 'refused') throw new Error(outcome.message)
  await untilSent(acme.tab)
  return outcome.id
}

/** Writes custom fields of a deal into the database, as a colleague. This device does not know the write yet. */
const writeAsColleague = (id: string, custom: Record<string, unknown>) =>
  inDatabase(
    `with colleague as (select set_config('request.jwt.claims', json_build_object('sub', gen_random_uuid())::text, true))
     update public.deals set custom = $1 from colleague where id = $2`,
    custom,
    id,
  )

test('the undo of a filled custom field names the field by its label, and keeps another field that a colleague has filled meanwhile', async () => {
  const [region, size] = [await defineField('Region'), await defineField('Team size', 'number')]
  const id = await makeDeal(acme.tab)
  expect(await editDeal(id, { [`custom.${region}`]: ' North ' })).toEqual({ status: 'saved', id })
  expect(await storedCustom(id)).toEqual({ [region]: 'North' })

  await writeAsColleague(id, { [size]: 12 })
  expect(await editDeal(id, { [`custom.${region}`]: 'South' })).toEqual({ status: 'saved', id })
  expect(await storedCustom(id)).toEqual({ [region]: 'South', [size]: 12 })

  const undone = acme.tab.undoStep(device())
  expect(undone?.words).toBe('Region of Data migration changed')
  expect(deal(id)?.custom).toMatchObject({ [region]: 'North' })
  await undone?.outcome
  expect(await storedCustom(id)).toEqual({ [region]: 'North', [size]: 12 })
  await acme.tab.undoStep(device())?.outcome
  expect(await storedCustom(id)).toEqual({ [size]: 12 })
  await acme.tab.redoStep(device())?.outcome
  expect(await storedCustom(id)).toEqual({ [region]: 'North', [size]: 12 })
})

test('an offline edit of several custom fields is sent as one patch; if a colleague edits the same field, the user has to decide, and sees labels', async () => {
  const tier = await defineField('Tier', 'choice', [
    { id: 'g', label: 'Gold' },
    { id: 's', label: 'Silver' },
  ])
  const region = await defineField('Region')
  const id = await makeDeal(acme.tab)
  await editDeal(id, { [`custom.${tier}`]: 'g' })
  goOffline(acme)
  await editDeal(id, { name: 'Renewal', [`custom.${tier}`]: 's', [`custom.${region}`]: 'North' })
  expect(deal(id)).toMatchObject({ name: 'Renewal', custom: { [tier]: 's', [region]: 'North' } })
  await writeAsColleague(id, { [tier]: null })
  await goOnline(acme)
  await untilSent(acme.tab)
  const [operation] = acme.tab.queue(device()).get().operations
  if (!operation) throw new Error('No operation waits for a decision.')
  expect(acme.tab.queueLine(device(), operation, [operation])).toMatchObject({
    conflicts: [{ name: 'Tier', base: 'Gold', mine: 'Silver', theirs: null }],
    otherFields: ['name', 'Region'],
  })
  await acme.tab.resolveConflict(device(), operation.id, 'theirs')
  await untilSent(acme.tab)
  expect(await storedCustom(id)).toEqual({ [region]: 'North' })
})

test('a wrong value of a custom field is refused with the name of the field, and a new deal may contain custom fields', async () => {
  const size = await defineField('Team size', 'number')
  const id = await makeDeal(acme.tab, { [`custom.${size}`]: 5 })
  expect(await storedCustom(id)).toEqual({ [size]: 5 })
  expect(await editDeal(id, { [`custom.${size}`]: 'many' })).toMatchObject({
    status: 'refused',
    message: 'The field "Team size" takes a number below 1,000,000,000,000 with at most 6 decimals.',
  })
  expect(deal(id)?.custom).toEqual({ [size]: 5 })
})

test('several records get the same value in a custom field in one step, and an undo restores the value of each', async () => {
  const region = await defineField('Region')
  const ids = [await makeDeal(acme.tab), await makeDeal(acme.tab)]
  await editDeal(ids[0] ?? '', { [`custom.${region}`]: 'North' })
  await acme.tab.updateRecords(device(), 'deals', ids, { [`custom.${region}`]: 'South' })
  await acme.tab.undoStep(device())?.outcome
  expect(await Promise.all(ids.map(storedCustom))).toEqual([{ [region]: 'North' }, {}])
})

test('custom fields can be moved, retired and restored, offline too', async () => {
  const [one, two, three] = [await defineField('One'), await defineField('Two'), await defineField('Three')]
  const labels = () => fieldsInUse().map(({ label }) => label)
  const field = (id: string) => {
    const storedField = dataOf(acme.tab).tables.custom_fields.get(id)
    if (!storedField) throw new Error('There is no such field.')
    return storedField
  }
  goOffline(acme)
  await acme.tab.moveCustomField(device(), field(three), 0, fieldsInUse())
  expect(labels()).toEqual(['Three', 'One', 'Two'])
  await acme.tab.moveCustomField(device(), field(three), 1, fieldsInUse())
  expect(labels()).toEqual(['One', 'Three', 'Two'])
  await acme.tab.retireCustomField(device(), field(one))
  expect(labels()).toEqual(['Three', 'Two'])
  await acme.tab.bringBackCustomField(device(), field(one))
  await goOnline(acme)
  await untilSent(acme.tab)
  expect(labels()).toEqual(['One', 'Three', 'Two'])
  // If no position is left between two neighbours, all fields get new positions.
  await acme.tab.updateCustomField(device(), field(two), { position: field(three).position + 1e-7 })
  await acme.tab.moveCustomField(device(), field(one), 1, fieldsInUse())
  expect(fieldsInUse().map(({ label, position }) => [label, position])).toEqual([
    ['Three', 1],
    ['One', 2],
    ['Two', 3],
  ])
  await untilSent(acme.tab)
  expect(await acme.tab.addCustomField(device(), { ...field(two), label: 'two' })).toMatchObject({ status: 'refused' })
})
