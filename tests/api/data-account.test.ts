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

const sessionOf = () => acme.tab.sessionState(acme.tab.device).get().session

test('the password is checked with the present e-mail address, also if it was changed in another browser', async () => {
  const email = await changeAddressElsewhere()
  expect(sessionOf()?.email).toBe(acme.email)
  expect(await acme.tab.checkPassword(acme.tab.device, 'wrong')).toMatchObject({ code: 'invalid_credentials' })
  expect(await acme.tab.checkPassword(acme.tab.device, 'correct horse')).toEqual({ ok: true, signedIn: true })
  expect(sessionOf()?.email).toBe(email)
})

test('an e-mail address that was changed in another browser is shown after it is read, also after a reload', async () => {
  const email = await changeAddressElsewhere()
  await acme.tab.readPresentEmail(acme.tab.device)
  await vi.waitFor(() => expect(sessionOf()?.email).toBe(email), waitOptions)
  const reloaded = await acme.browser.openTab()
  expect(await reloaded.readSession(reloaded.device)).toMatchObject({ email, expired: false })
})

test('while the server does not answer, the stored e-mail address stays', async () => {
  acme.browser.network.offline = true
  await acme.tab.readPresentEmail(acme.tab.device)
  expect(sessionOf()).toMatchObject({ email: acme.email, expired: false })
})

test('a password whose change was not answered is changed again with the former password; a wrong proof is still refused', async () => {
  const { device } = acme.tab
  const answer = await acme.tab.changePassword(device, { password: 'correct horse' }, 'a better staple')
  expect(answer.ok).toBe(true)
  const again = () => acme.tab.changePasswordAgain(device, { password: 'correct horse' }, 'a better staple')
  expect(await acme.tab.changePassword(device, { password: 'correct horse' }, 'a better staple')).toMatchObject({
    code: 'current_password_invalid',
  })
  expect(await again()).toMatchObject({ ok: true })
  expect(await acme.tab.changePasswordAgain(device, { password: 'wrong' }, 'another staple')).toMatchObject({
    code: 'current_password_invalid',
  })
})
