import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { addDealContact } from './deal-contacts.ts'

test('the refusal of a contact that a colleague has added to the deal meanwhile names the contact', async () => {
  const { device, network } = await openLoneTab()
  network.on('POST /rest/v1/deal_contacts', () => refusalResponse(409, '23505', 'duplicate key value'))
  network.on('GET /rest/v1/deal_contacts', () => ({ body: [] }))
  const zoe = { id: 'zoe', label: 'Zoë Müller' }
  expect(await addDealContact(device, 'roof', zoe, 'pays')).toEqual({
    status: 'refused',
    code: '23505',
    message: 'Zoë Müller is already on this deal.',
  })
})
