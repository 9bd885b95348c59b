import { type Device, devicePart } from '#web/data/browser/device.ts'
import { askServer } from '#web/data/server/ask-server.ts'
import { loadClient } from '#web/data/server/load-client.ts'
import { reachable } from '#web/data/server/network.ts'
import { handleUnauthorized } from '#web/data/server/rpc.ts'
import { compareNames } from '#web/lib/names.ts'
import { userValueKey } from '#web/data/session/stored-user.ts'
import { keyValueStore } from '#web/data/browser/key-value-store.ts'
import { observable } from '#web/lib/observable.ts'
import { listOf, textOf } from '#web/lib/read-unknown.ts'
import { readSession, sessionState } from '#web/data/session/session.ts'
import { type Membership, membershipRow, storedMembership } from './membership.ts'

interface MembershipState {
  userId: string | null
  /** True if the stored memberships or the server's are known, or if the request for them failed. */
  ready: boolean
  /** True if the memberships are the server's answer. */
  fresh: boolean
  memberships: readonly Membership[]
  error: string | null
}

const noMemberships: MembershipState = { userId: null, ready: false, fresh: false, memberships: [], error: null }

/** The user's memberships. */
export const membershipsOf = devicePart((device) => {
  const state = observable<MembershipState>(noMemberships)
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) state.set(noMemberships)
  })
  return state
})

/** Returns the memberships in memory, or else the stored ones. Empty if there are none, or if nobody is signed in. Sends no request. */
export async function readMemberships(device: Device): Promise<readonly Membership[]> {
  const session = await readSession(device)
  if (!session) return []
  if (membershipsOf(device).get().userId === session.userId) return membershipsOf(device).get().memberships
  const stored = await keyValueStore(device).get(userValueKey(session.userId, 'memberships'))
  if (stored && membershipsOf(device).get().userId !== session.userId) {
    const memberships = listOf(JSON.parse(stored)).flatMap(storedMembership)
    membershipsOf(device).set({ userId: session.userId, ready: true, fresh: false, memberships, error: null })
  }
  const { userId, memberships } = membershipsOf(device).get()
  return userId === session.userId ? memberships : []
}

/** Reads the user's memberships from the server and stores them. */
export async function loadMemberships(device: Device): Promise<void> {
  await readMemberships(device)
  const session = await readSession(device)
  if (!session) return
  const { data, error, status } = await readMembershipRows(device, session.userId)
  if (status === 401) await handleUnauthorized(device, error?.code ?? null)
  const rows = data.flatMap(membershipRow)
  // A session that has ended also gets no rows. For such a session the client ends the session of this device.
  const problem = error ?? (rows[0] ? null : (await (await loadClient(device)).auth.getUser()).error)
  const addedBy = rows.some(({ isUnopened }) => isUnopened)
    ? await readAdders(device)
    : new Map<string, string | null>()
  const { userId } = sessionState(device).get().session ?? {}
  if (userId !== session.userId) return
  if (problem) {
    const previous = membershipsOf(device).get().userId === userId ? membershipsOf(device).get().memberships : []
    membershipsOf(device).set({ userId, ready: true, fresh: false, memberships: previous, error: problem.message })
    return
  }
  const memberships = rows
    .map(({ mine, isUnopened }) => (isUnopened ? { ...mine, added: { by: addedBy.get(mine.brandId) ?? null } } : mine))
    .sort((a, b) => compareNames(a.name, b.name))
  await keyValueStore(device).remember(userValueKey(userId, 'memberships'), JSON.stringify(memberships))
  membershipsOf(device).set({ userId, ready: true, fresh: true, memberships, error: null })
}

/**
 * Reads the rows of the user's memberships, page by page, because an answer has at most 1,000 rows. The memberships of brands that the user has
 * opened come first, and all of them are read. Of the others, only those on the last page are read. So strangers who add the user to many brands
 * cannot hide the brands that the user has opened.
 */
async function readMembershipRows(device: Device, userId: string) {
  const rows = new Map<string, unknown>()
  let recordsOpenings = true
  for (let openedFrom = ''; ; ) {
    const answer = await askServer(device, (server) => {
      const all = server
        .from('memberships')
        .select('*,brand:brands(id,name,slug)')
        .eq('user_id', userId)
        // If the last request got no answer, more tries would only delay the use of the stored memberships by 7 s.
        .retry(reachable(device).get())
      if (!recordsOpenings) return all
      const page = openedFrom ? all.or(`opened_at.gte.${openedFrom},opened_at.is.null`) : all
      return page.order('opened_at').order('created_at').order('brand_id')
    })
    if (recordsOpenings && answer.error?.code === unknownColumnCode) {
      recordsOpenings = false
      continue
    }
    const knownCount = rows.size
    const page = listOf(answer.data)
    for (const row of page) rows.set(textOf(row, 'brand_id') ?? '', row)
    openedFrom = textOf(page.at(-1), 'opened_at') ?? ''
    if (answer.error || page.length < maxAnswerRows || !openedFrom || rows.size === knownCount)
      return { ...answer, data: [...rows.values()] }
  }
}

/** SQLSTATE undefined_column: the backend does not record openings. */
const unknownColumnCode = '42703'

/** Maximum number of rows in an answer of the server (docs/security.md). */
const maxAnswerRows = 1000

/** Reads who added the user to each brand that the user has not opened: the member's name, or null, by brand id. Empty if no answer came. */
async function readAdders(device: Device): Promise<Map<string, string | null>> {
  const { data } = await askServer(device, (server) => server.rpc('unopened_brands'))
  return new Map(listOf(data).map((row) => [textOf(row, 'brand_id') ?? '', textOf(row, 'added_by')]))
}

/**
 * Removes a membership from the list in memory, before the memberships are reloaded from the server. /select-brand automatically opens a single
 * brand, which must not be the one that the user has just lost or left.
 */
export function removeMembership(device: Device, brandId: string): void {
  const known = membershipsOf(device).get()
  membershipsOf(device).set({ ...known, memberships: known.memberships.filter((mine) => mine.brandId !== brandId) })
}
