import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { addDealContact } from './deal-contacts.ts'

test('if a colleague has added the contact to the deal meanwhile, the refusal names the contact', async () => {
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

test('if a colleague has deleted the contact or the deal meanwhile, the refusal says that one of them was deleted', async () => {
  const { device, network } = await openLoneTab()
  network.on('POST /rest/v1/deal_contacts', () => refusalResponse(409, '23503', 'violates foreign key constraint'))
  network.on('GET /rest/v1/deal_contacts', () => ({ body: [] }))
  expect(await addDealContact(device, 'roof', { id: 'zoe', label: 'Zoë Müller' }, 'pays')).toEqual({
    status: 'refused',
    code: '23503',
    message: 'This contact or deal was deleted meanwhile.',
  })
})
