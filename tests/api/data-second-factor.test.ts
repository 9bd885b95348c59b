import { expect, test } from 'vitest'
import { needsSecondFactor } from '#web/data/server/session-token.ts'
import { acme, setUpAcme, server } from '../harness/acme-scene.ts'
import { signUpPerson, testClient } from '../harness/client.ts'
import { totpCode } from '../harness/totp.ts'

setUpAcme()

/** Signs up a person and verifies an authenticator app. The returned `client` is at aal2. */
async function personWithApp(email: string) {
  const { client } = await signUpPerson(server, email)
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp' })
  if (!data) throw new Error('not enrolled')
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: totpCode(data.totp.secret) })
  if (error) throw error
  return { client, factorId: data.id, secret: data.totp.secret }
}

test('the app and the official client agree whether a code is needed, before and after it is entered', async () => {
  const email = `cy-${Date.now()}@acme.test`
  const { client, factorId, secret } = await personWithApp(email)
  const second = testClient(server)
  await second.auth.signInWithPassword({ email, password: 'correct horse' })
  for (const eachClient of [client, second]) {
    const { data } = await eachClient.auth.mfa.getAuthenticatorAssuranceLevel()
    const session = (await eachClient.auth.getSession()).data.session
    expect(session && needsSecondFactor(session)).toBe(data?.currentLevel !== data?.nextLevel)
  }
  const before = (await second.auth.getSession()).data.session
  expect(before && needsSecondFactor(before)).toBe(true)
  await second.auth.mfa.challengeAndVerify({ factorId, code: totpCode(secret, 1) })
  const after = (await second.auth.getSession()).data.session
  expect(after && needsSecondFactor(after)).toBe(false)
})

test('a session with the password alone sends and pulls nothing, also after a reload', async () => {
  const email = `di-${Date.now()}@acme.test`
  await personWithApp(email)
  acme.browser.network.log.length = 0
  expect(await acme.tab.signIn(acme.tab.device, email, 'correct horse')).toEqual({
    ok: true,
    signedIn: true,
    needsCode: true,
  })
  expect(await acme.tab.readSession(acme.tab.device)).toMatchObject({
    email,
    expired: true,
    needsCode: true,
  })
  await acme.tab.sendWaiting(acme.tab.device)
  await acme.tab.requestPull(acme.tab.device)
  const reloaded = await acme.browser.openTab()
  expect(await reloaded.readSession(reloaded.device)).toMatchObject({ email, expired: true, needsCode: true })
  expect(acme.browser.network.log.filter(({ path }) => path.startsWith('/rest/v1/'))).toEqual([])
})
