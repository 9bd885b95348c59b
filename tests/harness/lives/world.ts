import { randomUUID } from 'node:crypto'
import type { Site } from './site.ts'

export type Role = 'member' | 'admin' | 'owner'

/** The three people of a life. Each has one account at the start and may get more. */
export const peopleNames = ['ana', 'bo', 'eve'] as const

/** The model of an account. */
export interface Account {
  id: string
  /** Its owner: an index of `peopleNames`. */
  person: number
  /** Its name in the log of the life: ana, or "ana's second account". */
  name: string
  email: string
  /** Null: not set yet (an account made by an invitation's link). */
  password: string | null
  isConfirmed: boolean
  factor: { id: string; secret: string } | null
  /** Counts changes of address, password and factors: each change invalidates older links. */
  stamp: number
  /** The requested new address, and the addresses that have agreed. */
  wanted: { email: string; agreed: Set<string> } | null
}

export interface Session {
  id: string
  account: Account
  /** Its name in the log of the life: "ana's session 2". */
  name: string
  token: string
  refreshToken: string
  isAlive: boolean
  /** The token says aal2. */
  saysProved: boolean
  /** The session is at aal2: its verified factor still exists. */
  isProved: boolean
  /** The token is from before the second factor was verified; the session has a newer one. */
  isFormer: boolean
  /** Signed in less than five minutes ago. */
  isFresh: boolean
  /** Memberships whose brand this session has opened. */
  opened: Set<Membership>
}

export interface Membership {
  role: Role
  displayName: string | null
  /** Whether the person has opened the brand. */
  isOpened: boolean
}

export interface Invitation {
  id: string
  email: string
  role: Role
  by: Account
  /** The inviter has lost the right since then, perhaps temporarily. */
  hasLapsed: boolean
}

export interface LiveRecord {
  id: string
  table: string
  marker: string
  isDeleted: boolean
}

/** A note about one record. */
export interface Note {
  id: string
  author: Account
  record: LiveRecord
  /** By a person: it does not come back with its record. */
  isDeleted: boolean
}

/** One life of a brand, from its creation to its delete. A reused id starts another life. */
export interface Brand {
  id: string
  name: string
  isAlive: boolean
  demandsFactor: boolean
  members: Map<Account, Membership>
  /** Accounts that may have become members: the brand has invited their confirmed address. */
  awaited: Map<Account, Role>
  invitations: Invitation[]
  records: LiveRecord[]
  notes: Note[]
  /** Its custom fields. */
  fields: { id: string; table: string }[]
  tags: { id: string; isDeleted: boolean }[]
  /** Addresses that members may read: typed by a member, or of a person who has opened the brand. */
  known: Set<string>
  /** Addresses that admins and owners may read: those of invitations. */
  invited: Set<string>
  /** When it was created (ms). */
  since: number
}

/** A mailed link, and its purpose. */
export interface Link {
  type: 'recovery' | 'signup' | 'email_change' | 'invite'
  token: string
  recipient: string
  /** Null for an invitation, and for a sign-up whose account was made in another way. */
  account: Account | null
  /** The account's stamp when the link was made. */
  stamp: number
  invitation: Invitation | null
  brand: Brand | null
  isSpent: boolean
  /** The password of a sign-up. */
  password: string | null
  /** The new address of a change. */
  wanted: string | null
}

/** A text with a marker that is recognised in every answer. */
interface Secret {
  what: string
  /** `anyLevel`: the answer may also name brands that are closed to this session's level. */
  mayBeRead: (reader: Session, anyLevel: boolean) => boolean
}

/** The model of one life. */
export interface World {
  site: Site
  tag: string
  accounts: Account[]
  sessions: Session[]
  /** The ids of brands, each with its lives. */
  slots: { id: string; lives: Brand[] }[]
  /** Addresses without an account at the start; person n can read the mail of the address at index n. */
  freeAddresses: string[]
  /** For each address, by its marker: the people who have or had it. */
  holders: Map<string, Set<number>>
  links: Link[]
  lastMail: string
  secrets: Map<string, Secret>
  /** The log: a sentence per step. */
  story: string[]
  /** Forbidden effects and readings. */
  complaints: string[]
  /** Kinds of steps that had an effect. */
  done: Set<string>
}

let lives = 0

/** An empty model. Its tag is part of all its markers. */
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

/** A unique word, by which a secret is recognised. */
export function newMarker(world: World, secret: Secret): string {
  const marker = `q${world.tag}x${world.secrets.size.toString(36).padStart(2, '0')}q`
  world.secrets.set(marker, secret)
  return marker
}

/** Finds the markers of all lives in a text. */
export const markerPattern = /q[0-9a-z]{6}x[0-9a-z]{2}q/g

/** A new address. Its account may read it, and the brands that know it. */
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

/** Records that a person has or had this address, and so may read it. */
export function noteAddress(world: World, person: number, email: string): void {
  const marker = markerOf(email)
  world.holders.set(marker, new Set([...(world.holders.get(marker) ?? []), person]))
}

/** The marker of an address: its local part, which is also the default display name of a new member. */
export function markerOf(email: string): string {
  return email.split('@')[0] ?? ''
}

/** 2: both factors are verified. 1: the password, and there is no second factor. 0: a factor is not verified yet. */
export function levelOf({ account, isProved }: Session): 0 | 1 | 2 {
  if (account.factor === null) return 1
  return isProved ? 2 : 0
}

/** Whether this session has access to the brand. `anyLevel`: ignores the level. */
export function isMember(session: Session, brand: Brand, anyLevel = false): boolean {
  if (!brand.isAlive || !session.isAlive || !brand.members.has(session.account)) return false
  return anyLevel || levelOf(session) >= (brand.demandsFactor ? 2 : 1)
}

/** The session's role in the brand; null: no access. */
export function roleOf(session: Session, brand: Brand): Role | null {
  return isMember(session, brand) ? (brand.members.get(session.account)?.role ?? null) : null
}

export function livingBrands({ slots }: World): Brand[] {
  return slots.flatMap(({ lives }) => lives).filter(({ isAlive }) => isAlive)
}

/** The last brand with the id of a slot; undefined if the id was never used. */
export function brandAt({ slots }: World, place: number): Brand | undefined {
  return slots[place % slots.length]?.lives.at(-1)
}

export function complain(world: World, sentence: string): void {
  world.complaints.push(sentence)
}

/** Adds an attempt and its outcome to the log. */
export function tell(world: World, sentence: string, isDone: boolean): void {
  world.story.push(`${sentence}${isDone ? '' : ' (refused)'}`)
}
