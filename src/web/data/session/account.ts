import { type Device } from '#web/data/browser/device.ts'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { authCall } from './auth-call.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { adoptStored } from './second-factor.ts'
import { type AuthOutcome, adopted, refusal, sessionState } from './session.ts'

/** Sets a password where none is asked for: after the link of a mail, or for an invited person's first one. */
export function setNewPassword(device: Device, password: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.updateUser({ password })
    return error ? refusal(error) : adoptStored(device)
  })
}

/** How a person proves themselves for a change: with the password, or with a code that was mailed to them. */
export type Proof = { password: string } | { code: string }

/** Changes the password, or sets the first one; all other sessions end. */
export function changePassword(device: Device, proof: Proof, password: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.updateUser({ password, ...proved(proof) })
    return error ? refusal(error) : adoptStored(device)
  })
}

/** Changes the e-mail address. `pending`: links went to the old and the new address, and nothing has changed yet. */
export function changeEmail(device: Device, proof: Proof, email: string): Promise<AuthOutcome & { pending?: boolean }> {
  return authCall(device, async (auth) => {
    const emailRedirectTo = `${location.origin}/select-brand`
    const { data, error } = await auth.updateUser({ email: email.trim(), ...proved(proof) }, { emailRedirectTo })
    if (error) return refusal(error)
    const pending = data.user.email !== email.trim().toLowerCase()
    return { ...(await adoptStored(device)), pending }
  })
}

/** The proof in the protocol's words. */
function proved(proof: Proof) {
  return 'code' in proof ? { nonce: proof.code } : { current_password: proof.password }
}

/** Mails six digits to the person who is signed in. They work once, for ten minutes; another mail goes after a minute. */
export function mailCode(device: Device): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.reauthenticate()
    return error ? refusal(error) : { ok: true, signedIn: true }
  })
}

/** Asks for the password once more: what cannot be undone wants a fresh proof. `needsCode`: a second factor too. */
export function proveAgain(device: Device, password: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const email = sessionState(device).get().session?.email ?? ''
    const { data, error } = await auth.signInWithPassword({ email, password })
    return error ? refusal(error) : adopted(device, data.session)
  })
}

/** `lastOwnerOf`: brands that must be handed over or deleted first. */
export type Deletion = { ok: true } | { ok: false; message: string; lastOwnerOf: readonly string[] }

/** Deletes the account of the signed-in user, right after proveAgain; sign out on this device afterwards. */
export async function deleteMyAccount(device: Device): Promise<Deletion> {
  const { error, status } = await askServer(device, (server) => server.rpc('delete_my_account'))
  if (!error) return { ok: true }
  if (!isRefusal(error, 'LAST_OWNER')) {
    return { ok: false, message: status === 0 ? noAnswerMessage : error.message, lastOwnerOf: [] }
  }
  const brands = JSON.parse(error.details || '[]') as { name: string }[]
  return { ok: false, message: error.message, lastOwnerOf: brands.map(({ name }) => name) }
}

interface ExportPage {
  records: Record<string, unknown[]>
  /** Where the records go on; null on the last page. */
  next: { table: string; after: string | null } | null
}

/** Everything that the server keeps about me, as JSON text, fetched page by page. Throws RpcError. */
export async function exportMyData(device: Device): Promise<string> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const page = (args: Record<string, unknown>) => rpc<ExportPage>(device, userId, 'export_my_data', args)
  const { next: first, ...whole } = await page({})
  let next = first
  while (next) {
    const more: ExportPage = await page({ p_table: next.table, p_after: next.after })
    for (const [table, rows] of Object.entries(more.records)) {
      whole.records[table] = [...(whole.records[table] ?? []), ...rows]
    }
    next = more.next
  }
  return JSON.stringify(whole, null, 2)
}
