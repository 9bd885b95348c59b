import { randomUUID } from 'node:crypto'
import type { Site } from './site.ts'

export type Role = 'member' | 'admin' | 'owner'

/** The three people of a life. Each has an account at the beginning, and may come to have more. */
export const peopleNames = ['ana', 'bo', 'eve'] as const

/** An account, as the test knows it. */
export interface Account {
  id: string
  /** Its place in PEOPLE. */
  person: number
  /** For the story: ana, or "ana's second account". */
  name: string
  email: string
  /** Null: none was set yet (who came by an invitation's link). */
  password: string | null
  isConfirmed: boolean
  factor: { id: string; secret: string } | null
  /** Counts each change of address, password or factor: a link is good only while it stays. */
  stamp: number
  /** The address that is to be, and which of the two mailboxes have agreed. */
  wanted: { email: string; agreed: Set<string> } | null
}

export interface Session {
  id: string
  account: Account
  /** For the story: "ana's session 2". */
  name: string
  token: string
  refreshToken: string
  isAlive: boolean
  /** This token says aal2. */
  saysProved: boolean
  /** So does the session: the factor that it proved is still there. */
  isProved: boolean
  /** This token is from before the second factor was proved; the session has a newer one. */
  isFormer: boolean
  /** The sign-in was moments ago. */
  isFresh: boolean
  /** Memberships whose brand this session has opened. */
  opened: Set<Membership>
}

export interface Membership {
  role: Role
  displayName: string | null
  /** The person has opened the brand themselves. */
  isOpened: boolean
}

export interface Invitation {
  id: string
  email: string
  role: Role
  by: Account
  /** Who invited has lost the right since, if only for a time. */
  hasLapsed: boolean
}

/** One life of a brand, from its founding to its end. An id that comes again begins another one. */
export interface Brand {
  id: string
  name: string
  isAlive: boolean
  demandsFactor: boolean
  members: Map<Account, Membership>
  /** Who may be a member by now: an invitation waits for an address that they have proved. */
  awaited: Map<Account, Role>
  invitations: Invitation[]
  records: { id: string; table: string; marker: string; isDeleted: boolean }[]
  /** Addresses that its members may know: typed by one of them, or of somebody who has opened the brand. */
  known: Set<string>
  /** Addresses that those who lead it may know: of invitations. */
  invited: Set<string>
  /** When it was founded. Milliseconds. */
  since: number
}

/** A link in a mail, and what it was made for. */
export interface Link {
  type: 'recovery' | 'signup' | 'email_change' | 'invite'
  token: string
  recipient: string
  /** Whose; null for an invitation, and for a sign-up whose account came otherwise. */
  account: Account | null
  /** The account's stamp when the link was made. */
  stamp: number
  invitation: Invitation | null
  brand: Brand | null
  isSpent: boolean
  /** The password that goes with a sign-up. */
  password: string | null
  /** The address that a change is about. */
  wanted: string | null
}

/** Something that can be recognised wherever it turns up. */
interface Secret {
  what: string
  /** `anyLevel`: it came from a place that also names what is closed to this session. */
  mayBeRead: (reader: Session, anyLevel: boolean) => boolean
}

/** Everything that is known of one life. */
export interface World {
  site: Site
  tag: string
  accounts: Account[]
  sessions: Session[]
  /** The ids that brands are founded with, each with the lives that it had. */
  slots: { id: string; lives: Brand[] }[]
  /** Addresses that nobody has at the beginning; the one at place n is in the hands of person n. */
  freeAddresses: string[]
  /** Who has or had an address, by its marker. */
  holders: Map<string, Set<number>>
  links: Link[]
  lastMail: string
  secrets: Map<string, Secret>
  /** What happened, in sentences. */
  story: string[]
  /** What must not have happened. */
  complaints: string[]
  /** Kinds of steps that had an effect. */
  done: Set<string>
}

let lives = 0

/** An empty world. Its tag is in every word by which something of it can be recognised. */
export function newWorld(site: Site): World {
  const tag = (++lives + Date.now() * 1000).toString(36).slice(-6)
  const world: World = {
    site,
    tag,
    accounts: [],
    sessions: [],
    slots: Array.from({ length: 3 }, () => ({ id: randomUUID(), lives: [] })),
    freeAddresses: [],
    holders: new Map(),
    links: [],
    lastMail: '0',
    secrets: new Map(),
    story: [],
    complaints: [],
    done: new Set(),
  }
  world.freeAddresses = peopleNames.map(() => newAddress(world))
  return world
}

/** A word that stands nowhere else. */
export function newMarker(world: World, secret: Secret): string {
  const marker = `q${world.tag}x${world.secrets.size.toString(36).padStart(2, '0')}q`
  world.secrets.set(marker, secret)
  return marker
}

/** Finds every word of any life in a text. */
export const markerPattern = /q[0-9a-z]{6}x[0-9a-z]{2}q/g

/** An address is known to its account, and to the brands that have learnt it. */
export function newAddress(world: World): string {
  const marker = newMarker(world, {
    what: 'an address',
    mayBeRead: (reader, anyLevel) =>
      world.holders.get(marker)?.has(reader.account.person) ||
      livingBrands(world).some(
        (brand) =>
          isMember(reader, brand, anyLevel) &&
          (brand.known.has(marker) ||
            (brand.invited.has(marker) && brand.members.get(reader.account)?.role !== 'member')),
      ),
  })
  return `${marker}@lives.example`
}

/** Notes that a person has or had this address: their own is no secret to them. */
export function noteAddress(world: World, person: number, email: string): void {
  const marker = markerOf(email)
  world.holders.set(marker, new Set([...(world.holders.get(marker) ?? []), person]))
}

/** The word in an address by which it is recognised: its local part, which is also the name that a new member gets. */
export function markerOf(email: string): string {
  return email.split('@')[0] ?? ''
}

/** 2: both factors proved. 1: the password, and nothing more to prove. 0: a factor is still to come. */
export function levelOf({ account, isProved }: Session): 0 | 1 | 2 {
  if (account.factor === null) return 1
  return isProved ? 2 : 0
}

/** Whether this session has the brand open to it. `anyLevel`: or would, with more proof. */
export function isMember(session: Session, brand: Brand, anyLevel = false): boolean {
  if (!brand.isAlive || !session.isAlive || !brand.members.has(session.account)) return false
  return anyLevel || levelOf(session) >= (brand.demandsFactor ? 2 : 1)
}

/** What the session may do in the brand; null: nothing. */
export function roleOf(session: Session, brand: Brand): Role | null {
  return isMember(session, brand) ? (brand.members.get(session.account)?.role ?? null) : null
}

export function livingBrands({ slots }: World): Brand[] {
  return slots.flatMap(({ lives }) => lives).filter(({ isAlive }) => isAlive)
}

/** The brand of a slot as it is now; undefined where the id was never used. */
export function brandAt({ slots }: World, place: number): Brand | undefined {
  return slots[place % slots.length]?.lives.at(-1)
}

export function complain(world: World, sentence: string): void {
  world.complaints.push(sentence)
}

/** Tells what was tried, and what came of it. */
export function tell(world: World, sentence: string, isDone: boolean): void {
  world.story.push(`${sentence}${isDone ? '' : ' (refused)'}`)
}
