import type { Device } from '#web/data/browser/device.ts'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { adoptSession, type AuthOutcome, readSession, refusal } from './session.ts'

/** Signs in with email and password (spec section 7). */
export async function signIn(device: Device, email: string, password: string): Promise<AuthOutcome> {
  await readSession(device)
  const client = await loadClient(device).catch(() => null)
  if (!client) return { ok: false, message: noAnswerMessage, code: null }
  const { data, error } = await client.auth.signInWithPassword({ email: email.trim(), password })
  if (error) return refusal(error)
  return adoptSession(device, data.session)
}

/**
 * Signs up. Links in confirmation emails lead back to /select-brand (spec section 7). `invitation`: the token of an invitation link, for a server
 * where only invited people may sign up.
 */
export async function signUp(
  device: Device,
  email: string,
  password: string,
  invitation?: string,
): Promise<AuthOutcome> {
  await readSession(device)
  const emailRedirectTo = `${globalThis.location?.origin ?? ''}/select-brand`
  const client = await loadClient(device).catch(() => null)
  if (!client) return { ok: false, message: noAnswerMessage, code: null }
  const options = { emailRedirectTo, ...(invitation && { data: { invitation } }) }
  const { data, error } = await client.auth.signUp({ email: email.trim(), password, options })
  if (error) return refusal(error)
  return data.session ? adoptSession(device, data.session) : { ok: true, signedIn: false }
}
