import { beforeEach, describe, expect, test } from 'vitest'
import { acme, ana, type LoneTab, openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { addToQueue } from '#web/data/store/queue.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { companyNameMatches, companyNameOf, contactMatches, nameMatches, ownTextMatches } from './contact-names.ts'

let tab: LoneTab

beforeEach(async () => {
  tab = await openLoneTab()
  putRows(tab.data, 'companies', { id: 'slate', name: 'Slate Müller' })
  const owen = { first_name: 'Owen', last_name: 'Davies', email: 'o@mail.test', title: 'Buyer', phone: '+44 (0)20 79' }
  putRows(
    tab.data,
    'contacts',
    { id: 'owen', company_id: 'slate', ...owen },
    { id: 'zoe', first_name: 'Zoe', company_id: null },
  )
})

const contact = (id: string) => tab.data.tables.contacts.get(id) ?? expect.fail('no contact')

test('a contact is found by each of its fields and by the name of its company', () => {
  for (const word of ['owen', 'davies', 'mail', 'buyer', '4402079', 'slate', 'mueller', 'muller'])
    expect([word, contactMatches(tab.data, contact('owen'), word)]).toEqual([word, true])
  expect(contactMatches(tab.data, contact('owen'), '020')).toBe(true)
  expect(contactMatches(tab.data, contact('owen'), 'zoe')).toBe(false)
  expect(contactMatches(tab.data, contact('zoe'), 'slate')).toBe(false)
})

test('`ownTextMatches` does not search the contact’s company, `nameMatches` and `companyNameMatches` search only the name', () => {
  expect(['buyer', 'slate'].map((word) => ownTextMatches(contact('owen'), word))).toEqual([true, false])
  expect(['owen', 'davies', 'buyer'].map((word) => nameMatches(contact('owen'), word))).toEqual([true, true, false])
  expect(nameMatches(undefined, 'owen')).toBe(false)
  const company = tab.data.tables.companies.get('slate')
  expect(['slate', 'mueller', 'owen'].map((word) => companyNameMatches(company, word))).toEqual([true, true, false])
  expect(companyNameMatches(undefined, 'slate')).toBe(false)
})

describe('the company of a contact', () => {
  const contactCall = (p_company_name: unknown) =>
    testOperation({
      userId: ana,
      brandId: acme,
      table: 'contacts',
      rowId: 'zoe',
      kind: 'call',
      values: {},
      preview: {},
      call: { name: 'upsert_contact', args: { p_company_name } },
    })

  test('the company of a contact is the linked company, or the typed name while the contact waits to be sent', async () => {
    expect(companyNameOf(tab.data, contact('owen'))).toBe('Slate Müller')
    expect(companyNameOf(tab.data, contact('zoe'))).toBeNull()
    await addToQueue(
      tab.device,
      testOperation({ userId: ana, brandId: acme, id: 'edit', table: 'contacts', rowId: 'zoe' }),
    )
    await addToQueue(tab.device, { ...contactCall(null), id: 'none' })
    await addToQueue(tab.device, { ...contactCall('Roof Ltd'), id: 'typed' })
    expect(companyNameOf(tab.data, contact('zoe'))).toBe('Roof Ltd')
    expect(contactMatches(tab.data, contact('zoe'), 'roof')).toBe(true)
  })
})
