import type { Device } from '#web/data/browser/device.ts'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { authCall } from './auth-call.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { rpc } from '#web/data/server/rpc.ts'
import { listOf, textOf } from '#web/lib/read-unknown.ts'
import { replaceSession } from './replace-session.ts'
import { adoptStoredSession } from './second-factor.ts'
import { type AuthOutcome, adoptSession, refusal, sessionState } from './session.ts'

/** Sets a password without the old one: after a link in an email, or the first password of an invited person. */
export function setNewPassword(device: Device, password: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.updateUser({ password })
    return error ? refusal(error) : adoptStoredSession(device)
  })
}

/** The proof of identity for a change: the password, or an emailed code. */
export type Proof = { password: string } | { code: string }

/** Changes the password, or sets the first one. All other sessions end. */
export function changePassword(device: Device, proof: Proof, password: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.updateUser({ password, ...proofParameters(proof) })
    return error ? refusal(error) : adoptStoredSession(device)
  })
}

/**
 * Changes the password after an attempt with the same new password whose answer was lost. That attempt may have changed it, so if the proof is
 * refused, tries again with the new password as the proof. If the password was changed, the server then refuses with `same_password`: a success.
 */
export async function changePasswordAgain(device: Device, proof: Proof, password: string): Promise<AuthOutcome> {
  const outcome = await changePassword(device, proof, password)
  if (outcome.ok || (outcome.code !== 'current_password_invalid' && outcome.code !== 'reauthentication_not_valid'))
    return outcome
  const secondOutcome = await changePassword(device, { password }, password)
  const isPresent = !secondOutcome.ok && secondOutcome.code === 'same_password'
  return isPresent ? { ok: true, signedIn: true } : outcome
}

/** Changes the email address. `pending`: links were sent to the old and the new address, and the old address is still in use. */
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

/**
 * Cancels a change of the email address that is not confirmed yet, so that its links become invalid. The server cancels it if it gets the present
 * address.
 */
export function cancelEmailChange(device: Device): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { data, error } = await auth.getUser()
    if (error) return refusal(error)
    const { email, new_email } = data.user
    if (!email || !new_email) return { ok: false, message: 'It was completed or cancelled already.', code: null }
    const update = await auth.updateUser({ email })
    return update.error ? refusal(update.error) : adoptStoredSession(device)
  })
}

/** Returns the protocol's parameters for a proof. */
function proofParameters(proof: Proof) {
  return 'code' in proof ? { nonce: proof.code } : { current_password: proof.password }
}

/** Sends a code to the signed-in user by email. The code works once, and for ten minutes. The next code can be sent after a minute. */
export function mailCode(device: Device): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const { error } = await auth.reauthenticate()
    return error ? refusal(error) : { ok: true, signedIn: true }
  })
}

/**
 * Checks the password again before an action that cannot be undone. To check the password, signs in again: the new session replaces the session of
 * this device. Signs in with the present email address, which may have been changed in another browser. `needsCode`: a second factor must also be
 * proved.
 */
export function checkPassword(device: Device, password: string): Promise<AuthOutcome> {
  return authCall(device, async (auth) => {
    const email = (await auth.getUser()).data.user?.email ?? sessionState(device).get().session?.email ?? ''
    const { data, error } = await replaceSession(auth, () => auth.signInWithPassword({ email, password }))
    return error ? refusal(error) : adoptSession(device, data.session)
  })
}

/**
 * The result of deleting the account. `code`: the code of the refusal. `lastOwnerOf`: the names of brands that must be handed over or deleted first.
 */
export type AccountDeletion =
  | { ok: true }
  | { ok: false; message: string; code: string | null; lastOwnerOf: readonly string[] }

/** Deletes the account of the signed-in user. Call `checkPassword` just before it and `signOut` after it. */
export async function deleteMyAccount(device: Device): Promise<AccountDeletion> {
  return accountDeletion(await askServer(device, (server) => server.rpc('delete_my_account')))
}

/**
 * Returns the ids of the brands that must be given up before the account can be deleted (`brandIds`): the brands that the user has never opened and
 * whose last owner the user is. Otherwise the refusal, for example if the user is the last owner of a brand that they have opened.
 */
export async function readLastUnopenedBrands(
  device: Device,
): Promise<{ brandIds: readonly string[] } | AccountDeletion> {
  const answer = await askServer(device, (server) => server.rpc('last_unopened_brands'))
  return answer.error ? accountDeletion(answer) : { brandIds: listOf(answer.data).map(String) }
}

/** The part of a server's answer that says why it refused. */
interface Refusable {
  error: { message: string; code: string; details: string | null } | null
  status: number
}

function accountDeletion({ error, status }: Refusable): AccountDeletion {
  if (!error) return { ok: true }
  if (!isRefusal(error, 'LAST_OWNER')) {
    const message = status === 0 ? noAnswerMessage : error.message
    return { ok: false, message, code: error.code || null, lastOwnerOf: [] }
  }
  const lastOwnerOf = brandNamesOf(error.details)
  const message = lastOwnerOf.length > 0 ? error.message : lastOwnerMessage
  return { ok: false, message, code: error.code, lastOwnerOf }
}

const lastOwnerMessage = 'A brand keeps at least one owner. Make somebody else an owner first.'

/**
 * Returns the names of the brands in the details of the refusal LAST_OWNER. Empty if the details are a sentence: a trigger sends it
 * if the only other owner of a brand stopped being an owner while the account was being deleted.
 */
function brandNamesOf(details: string | null): string[] {
  try {
    return listOf(JSON.parse(details ?? '')).map((brand) => textOf(brand, 'name') ?? '')
  } catch {
    return []
  }
}

interface ExportPage {
  records: Record<string, unknown[]>
  /** Where the next page begins. Null on the last page. */
  next: { table: string; after: string | null } | null
}

/** Reads all data that the server has about the signed-in user, page by page. Returns JSON text. Throws RpcError. */
export async function exportMyData(device: Device): Promise<string> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const readPage = (args: Record<string, unknown>) => rpc<ExportPage>(device, userId, 'export_my_data', args)
  const { next: first, ...exported } = await readPage({})
  let next = first
  while (next) {
    const nextPage: ExportPage = await readPage({ p_table: next.table, p_after: next.after })
    for (const [table, rows] of Object.entries(nextPage.records)) {
      exported.records[table] = [...(exported.records[table] ?? []), ...rows]
    }
    next = nextPage.next
  }
  return JSON.stringify(exported, null, 2)
}
