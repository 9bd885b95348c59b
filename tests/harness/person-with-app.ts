import type { SupabaseClient } from '@supabase/supabase-js'
import { signUpPerson } from './client.ts'
import type { TestServer } from './server.ts'
import { totpCode } from './totp.ts'

/** Signs up a person with an active authenticator app. The session is at aal2. */
export async function signUpWithApp(server: TestServer, email: string) {
  const person = await signUpPerson(server, email)
  return { ...person, ...(await addApp(person.client)) }
}

/** Adds an authenticator app to the account of the signed-in person. The session of `client` is then at aal2. */
export async function addApp(client: SupabaseClient) {
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone app' })
  if (error) throw error
  const { secret } = data.totp
  const verification = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: totpCode(secret) })
  if (verification.error) throw verification.error
  return { factorId: data.id, secret, session: verification.data }
}
