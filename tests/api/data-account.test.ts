import { expect, test, vi } from 'vitest'
import { waitOptions } from '../harness/acme.ts'
import { acme, setUpAcme, server } from '../harness/acme-scene.ts'
import { testClient } from '../harness/client.ts'

setUpAcme({ verifies: false })

/** Changes Ana's e-mail address in another browser. Returns the new address. */
async function changeAddressElsewhere(): Promise<string> {
  const client = testClient(server)
  await client.auth.signInWithPassword({ email: acme.email, password: 'correct horse' })
  const { data, error } = await client.auth.updateUser({
    email: `new-${acme.email}`,
    current_password: 'correct horse',
  })
  if (error) throw error
  return data.user.email ?? ''
}

const currentSession = () => acme.tab.sessionState(acme.tab.device).get().session

test('the password is checked with the current e-mail address, also if the address was changed in another browser', async () => {
  const email = await changeAddressElsewhere()
  expect(currentSession()?.email).toBe(acme.email)
  expect(await acme.tab.checkPassword(acme.tab.device, 'wrong')).toMatchObject({ code: 'invalid_credentials' })
  expect(await acme.tab.checkPassword(acme.tab.device, 'correct horse')).toEqual({ ok: true, signedIn: true })
  expect(currentSession()?.email).toBe(email)
})

test('an e-mail address that was changed in another browser is shown after the device has read it, also after a reload', async () => {
  const email = await changeAddressElsewhere()
  await acme.tab.readPresentEmail(acme.tab.device)
  await vi.waitFor(() => expect(currentSession()?.email).toBe(email), waitOptions)
  const reloaded = await acme.browser.openTab()
  expect(await reloaded.readSession(reloaded.device)).toMatchObject({ email, expired: false })
})

test('a read of the e-mail address keeps the stored address if the server does not respond', async () => {
  acme.browser.network.offline = true
  await acme.tab.readPresentEmail(acme.tab.device)
  expect(currentSession()).toMatchObject({ email: acme.email, expired: false })
})

test('a change of the password whose response was lost can be repeated with the former password; a wrong proof is still refused', async () => {
  const { device } = acme.tab
  const firstChange = await acme.tab.changePassword(device, { password: 'correct horse' }, 'a better staple')
  expect(firstChange.ok).toBe(true)
  const repeatChange = () => acme.tab.changePasswordAgain(device, { password: 'correct horse' }, 'a better staple')
  expect(await acme.tab.changePassword(device, { password: 'correct horse' }, 'a better staple')).toMatchObject({
    code: 'current_password_invalid',
  })
  expect(await repeatChange()).toMatchObject({ ok: true })
  expect(await acme.tab.changePasswordAgain(device, { password: 'wrong' }, 'another staple')).toMatchObject({
    code: 'current_password_invalid',
  })
})
