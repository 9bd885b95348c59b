import type { Device } from '#web/data/browser/device.ts'
import { wait } from '#web/data/browser/wait.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { compareNames } from '#web/lib/names.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOfObservable, type View, view } from '#web/data/query/view.ts'
import { namesOfFormerMembers } from './names-of-former-members.ts'

/** A member of the brand, or a former member to whom records refer as owner, assignee, creator or last editor. */
export interface Person {
  userId: string
  /**
   * The member's name. For a person who has left, the name that the person had when leaving. 'Former member' if this name is not known or
   * the account is deleted.
   */
  name: string
  isMe: boolean
  isMember: boolean
}

export interface People {
  ready: boolean
  me: Person | null
  /** The members of the brand: the user first, the others by name. */
  members: readonly Person[]
  /** Returns the person with this id. Null for null (a record without an owner), and until `ready`. */
  byId: (userId: string | null) => Person | null
}

const noPeople: People = { ready: false, me: null, members: [], byId: () => null }

/** Returns the people of the active brand, from this device. */
export function usePeople(): People {
  return useView(peopleView, '', noPeople)
}

/** How long `knownMembers` waits at most (ms). */
const membersTimeoutMs = 3000

/**
 * Returns the members of the active brand as soon as they are known, at the latest after 3 s. They may be unknown only until the
 * stored rows have been read and the first pull has ended.
 */
export async function knownMembers(device: Device): Promise<readonly Person[]> {
  const data = openBrand(device).get()
  if (!data) return []
  const people = peopleView(data)
  let stop = () => {}
  const known = new Promise<void>((resolve) => {
    const resolveIfReady = () => people.read().ready && resolve()
    stop = people.subscribe(resolveIfReady)
    resolveIfReady()
  })
  await Promise.race([known, wait(device, membersTimeoutMs)])
  stop()
  return people.read().members
}

/** Creates the view that `usePeople` reads. */
export function peopleView(data: BrandData): View<People> {
  const { memberships } = data.tables
  const former = sourceOfObservable(namesOfFormerMembers(data))
  return view([memberships, sourceOfObservable(data.loaded), sourceOfObservable(data.firstPullEnded), former], () => {
    const byUserId = new Map<string, Person>()
    for (const { user_id: userId, display_name: name } of memberships.values())
      byUserId.set(userId, { userId, name, isMe: userId === data.userId, isMember: true })
    const members = [...byUserId.values()].sort(
      (a, b) => Number(b.isMe) - Number(a.isMe) || compareNames(a.name, b.name) || (a.userId < b.userId ? -1 : 1),
    )
    const ready = data.loaded.get() && (members.length > 0 || data.firstPullEnded.get())
    const byId = (userId: string | null) => (ready && userId ? personOf(byUserId, data, userId) : null)
    return { ready, me: byUserId.get(data.userId) ?? null, members, byId }
  })
}

function personOf(byUserId: Map<string, Person>, data: BrandData, userId: string): Person {
  const member = byUserId.get(userId)
  if (member) return member
  const name = namesOfFormerMembers(data).get().get(userId)
  if (!name)
    import('./former-names.ts').then(
      ({ requestFormerName }) => requestFormerName(data, userId),
      () => {},
    )
  const former = { userId, name: name ?? 'Former member', isMe: userId === data.userId, isMember: false }
  byUserId.set(userId, former)
  return former
}
