import { describe, expect, test } from 'vitest'
import { acme, openLoneTab, putRows, untilIdle, serverRow, type LoneTab } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { fetchReferences } from './fetch-references.ts'

const contactsRequest = 'GET /rest/v1/contacts'
const companiesRequest = 'GET /rest/v1/companies'

async function openTab(): Promise<LoneTab> {
  const tab = await openLoneTab({ windowed: ['contacts', 'companies'] })
  tab.network.on(contactsRequest, () => ({ body: [serverRow({ id: 'owen', first_name: 'Owen' })] }))
  tab.network.on(companiesRequest, () => ({ body: [] }))
  return tab
}

const putDeals = ({ data }: LoneTab, ...links: { contact_id?: string | null; company_id?: string | null }[]) => {
  links.forEach((link, index) =>
    putRows(data, 'deals', { id: `deal ${index}`, contact_id: null, company_id: null, ...link }),
  )
  return links.flatMap((_, index) => data.tables.deals.get(`deal ${index}`) ?? [])
}
const requestedIds = ({ network }: LoneTab, line = contactsRequest) => network.of(line).map(({ filters }) => filters.id)

async function pass({ clock }: LoneTab, milliseconds: number): Promise<void> {
  clock.advance(milliseconds)
  await untilIdle(60)
}

describe('the rows that other rows refer to', () => {
  test('the rows that other rows refer to are fetched in one request per table', async () => {
    const tab = await openTab()
    fetchReferences(tab.data, 'deals', putDeals(tab, { contact_id: 'owen', company_id: 'slate' }))
    await pass(tab, 19)
    expect(tab.network.sent).toEqual([])
    fetchReferences(tab.data, 'deals', putDeals(tab, { contact_id: 'zoe' }))
    await pass(tab, 1)
    expect([requestedIds(tab), requestedIds(tab, companiesRequest)]).toEqual([['in.(owen,zoe)'], ['in.(slate)']])
    expect(tab.network.sent[0]?.filters.brand_id).toBe(`eq.${acme}`)
    expect(tab.data.tables.contacts.get('owen')?.first_name).toBe('Owen')
  })

  test('the rows that other rows refer to are requested once, also if the server does not have them', async () => {
    const tab = await openTab()
    const rows = putDeals(tab, { contact_id: 'owen', company_id: 'gone' })
    fetchReferences(tab.data, 'deals', rows)
    await pass(tab, 20)
    fetchReferences(tab.data, 'deals', rows)
    await pass(tab, 20)
    expect(tab.network.sent).toHaveLength(2)
    fetchReferences(tab.data, 'deals', putDeals(tab, { contact_id: 'zoe' }))
    await pass(tab, 20)
    expect(requestedIds(tab)).toEqual(['in.(owen)', 'in.(zoe)'])
  })

  test('the rows that other rows refer to are requested in groups of a hundred', async () => {
    for (const [length, sizes] of [
      [101, [100, 1]],
      [100, [100]],
    ] as const) {
      const tab = await openTab()
      const links = Array.from({ length }, (_, index) => ({ contact_id: `c${index}` }))
      fetchReferences(tab.data, 'deals', putDeals(tab, ...links))
      await pass(tab, 20)
      await untilIdle()
      expect(requestedIds(tab).map((ids) => ids?.split(',').length)).toEqual(sizes)
    }
  })

  test('the rows that other rows refer to are not fetched if they are on the device, if the link is empty, if the table is complete, or while the brand is still being read', async () => {
    const tab = await openTab()
    putRows(tab.data, 'contacts', { id: 'owen' })
    fetchReferences(tab.data, 'deals', putDeals(tab, { contact_id: 'owen' }, { contact_id: null }))
    putRows(tab.data, 'tasks', { id: 'call', deal_id: 'roof', contact_id: null })
    fetchReferences(tab.data, 'tasks', [...tab.data.tables.tasks.values()])
    putRows(tab.data, 'tags', { id: 'tag' })
    fetchReferences(tab.data, 'tags', [...tab.data.tables.tags.values()])
    tab.data.loaded.set(false)
    fetchReferences(tab.data, 'deals', putDeals(tab, { contact_id: 'zoe' }))
    await pass(tab, 20)
    expect(tab.network.sent).toEqual([])
  })

  test('fetched rows that other rows refer to are not stored again if they were deleted a moment ago', async () => {
    const tab = await openTab()
    tab.data.recentlyDeleted.set('owen', 1)
    fetchReferences(tab.data, 'deals', putDeals(tab, { contact_id: 'owen' }))
    await pass(tab, 20)
    expect([requestedIds(tab).length, tab.data.tables.contacts.size]).toEqual([1, 0])
  })

  test('the rows that other rows refer to may be requested again five seconds after a request failed', async () => {
    const tab = await openTab()
    tab.network.onEach(contactsRequest, refusalResponse(503, 'PGRST002'), { body: [serverRow({ id: 'owen' })] })
    const rows = putDeals(tab, { contact_id: 'owen' })
    fetchReferences(tab.data, 'deals', rows)
    await pass(tab, 20)
    await pass(tab, 4970)
    fetchReferences(tab.data, 'deals', rows)
    await pass(tab, 29)
    expect(requestedIds(tab)).toHaveLength(1)
    await pass(tab, 1)
    fetchReferences(tab.data, 'deals', rows)
    await pass(tab, 20)
    expect([requestedIds(tab).length, tab.data.tables.contacts.size]).toEqual([2, 1])
  })
})
