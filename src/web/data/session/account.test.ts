import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { refusalResponse } from '#tests/harness/prepared-network.ts'
import { deleteMyAccount } from './account.ts'

async function deleteRefusedWith(details: string | null) {
  const { device, network } = await openLoneTab()
  network.on('POST /rest/v1/rpc/delete_my_account', () => refusalResponse(400, 'BY001', 'LAST_OWNER', details))
  return deleteMyAccount(device)
}

test('if the server refuses to delete the account of the last owner of brands, the names of these brands are returned', async () => {
  expect(await deleteRefusedWith('[{"id":"1","name":"Acme"},{"id":"2","name":"Bolt"}]')).toEqual({
    ok: false,
    message: 'LAST_OWNER',
    code: 'BY001',
    lastOwnerOf: ['Acme', 'Bolt'],
  })
})

test('if the refusal of the last owner names no brands, the message says what to do', async () => {
  for (const details of ['A brand keeps at least one owner.', null])
    expect(await deleteRefusedWith(details)).toEqual({
      ok: false,
      message: 'A brand keeps at least one owner. Make somebody else an owner first.',
      code: 'BY001',
      lastOwnerOf: [],
    })
})
