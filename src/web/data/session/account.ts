import type { Device } from '#web/data/browser/device.ts'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { authCall } from './auth-call.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { listOf, textOf } from '#web/lib/read-unknown.ts'
import { adoptStoredSession } from './second-factor.ts'
import { type AuthOutcome, adoptSession, refusal, sessionState } from './session.ts'

/** Sets a password without the old one: after the link of an e-mail, or the first password of an invited person. */
export function setNewPassword(device: Device, password: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.updateUser({ password })
    return error ? refusal(error) : adoptStoredSession(device)
  })
}

/** The proof of identity for a change: the password, or a code that was mailed. */
export type Proof = { password: string } | { code: string }

/** Changes the password, or sets the first one; all other sessions end. */
export function changePassword(device: Device, proof: Proof, password: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.updateUser({ password, ...proofParameters(proof) })
    return error ? refusal(error) : adoptStoredSession(device)
  })
}

/** Changes the e-mail address. `pending`: links were mailed to the old and the new address, and the address is still the old one. */
export function changeEmail(device: Device, proof: Proof, email: string): Promise<AuthOutcome & { pending?: boolean }> {
  return authCall(device, async (auth) => {
    const emailRedirectTo = `${location.origin}/select-brand`
    const { data, error } = await auth.updateUser(
      { email: email.trim(), ...proofParameters(proof) },
      { emailRedirectTo },
    )
    if (error) return refusal(error)
    const pending = data.user.email !== email.trim().toLowerCase()
    return { ...(await adoptStoredSession(device)), pending }
  })
}

/** The parameters of the protocol for a proof. */
function proofParameters(proof: Proof) {
  return 'code' in proof ? { nonce: proof.code } : { current_password: proof.password }
}

/** Mails a code to the signed-in user. It works once, for ten minutes. The next one can be mailed after a minute. */
export function mailCode(device: Device): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.reauthenticate()
    return error ? refusal(error) : { ok: true, signedIn: true }
  })
}

/** Checks the password again, before something that cannot be undone. `needsCode`: a second factor must be proved too. */
export function proveAgain(device: Device, password: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const email = sessionState(device).get().session?.email ?? ''
    const { data, error } = await auth.signInWithPassword({ email, password })
    return error ? refusal(error) : adoptSession(device, data.session)
  })
}

/** `lastOwnerOf`: names of brands that must be handed over or deleted first. */
export type Deletion = { ok: true } | { ok: false; message: string; lastOwnerOf: readonly string[] }

/** Deletes the account of the signed-in user. Call `proveAgain` just before it and `signOut` after it. */
export async function deleteMyAccount(device: Device): Promise<Deletion> {
  const { error, status } = await askServer(device, (server) => server.rpc('delete_my_account'))
  if (!error) return { ok: true }
  if (!isRefusal(error, 'LAST_OWNER')) {
    return { ok: false, message: status === 0 ? noAnswerMessage : error.message, lastOwnerOf: [] }
  }
  const brands = listOf(JSON.parse(error.details || '[]'))
  return { ok: false, message: error.message, lastOwnerOf: brands.map((brand) => textOf(brand, 'name') ?? '') }
}

interface ExportPage {
  records: Record<string, unknown[]>
  /** Where the next page begins; null on the last page. */
  next: { table: string; after: string | null } | null
}

/** All data that the server has about the signed-in user, as JSON text; read page by page. Throws RpcError. */
export async function exportMyData(device: Device): Promise<string> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const page = (args: Record<string, unknown>) => rpc<ExportPage>(device, userId, 'export_my_data', args)
  const { next: first, ...exported } = await page({})
  let next = first
  while (next) {
    const more: ExportPage = await page({ p_table: next.table, p_after: next.after })
    for (const [table, rows] of Object.entries(more.records)) {
      exported.records[table] = [...(exported.records[table] ?? []), ...rows]
    }
    next = more.next
  }
  return JSON.stringify(exported, null, 2)
}
