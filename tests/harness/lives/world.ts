import { randomUUID } from 'node:crypto'
import type { Site } from './site.ts'

export type Role = 'member' | 'admin' | 'owner'

/** The three people of a life. Each has one account at the start and may get more. */
export const peopleNames = ['ana', 'bo', 'eve'] as const

/** The model of an account: what the server should have stored about it. */
export interface Account {
  id: string
  /** The person: an index of `peopleNames`. */
  person: number
  /** The account's name in the log of the life, such as "ana" or "ana's second account". */
  name: string
  email: string
  /** Null if it is not set yet (an account that an invitation's link created). */
  password: string | null
  isConfirmed: boolean
  factor: { id: string; secret: string } | null
  /**
   * The version of the account that a mailed link is valid for. It counts changes of e-mail address, password and factors, and the first
   * confirmation: each of them invalidates older links.
   */
  linkVersion: number
  /** The requested new e-mail address, and the addresses that have confirmed the change. */
  requestedAddress: { email: string; agreed: Set<string> } | null
}

/** The model of a session with one of its tokens. A session whose second factor was verified later has a model for each token. */
export interface Session {
  id: string
  account: Account
  /** The session's name in the log of the life: "ana's session 2". */
  name: string
  token: string
  refreshToken: string
  isAlive: boolean
  /** True if the token contains the level aal2. */
  hasAal2Token: boolean
  /** True if the session is at aal2: its verified factor still exists. */
  isProved: boolean
  /** True if the token was issued before the second factor was verified. The session has a newer token. */
  hasOlderToken: boolean
  /** True if the sign-in counts as a recent proof: until the step 'an hour passes'. */
  isFresh: boolean
  /** Memberships whose brand this session has opened. */
  opened: Set<Membership>
}

export interface Membership {
  role: Role
  displayName: string | null
  /** True if the person has opened the brand. */
  isOpened: boolean
}

export interface Invitation {
  id: string
  email: string
  role: Role
  by: Account
  /** True if the inviter has lost the right to invite since then, perhaps temporarily. */
  hasLapsed: boolean
}

/** The model of a record. `marker`: its text. */
export interface ModelRecord {
  id: string
  table: string
  marker: string
  isDeleted: boolean
}

/** A note about one record. */
export interface Note {
  id: string
  author: Account
  record: ModelRecord
  /** True if a person deleted the note itself: it is not restored with its record. */
  isDeleted: boolean
}

/** The model of a brand, from its creation to its deletion. A reused id gets another `Brand`. */
export interface Brand {
  id: string
  name: string
  isAlive: boolean
  requiresFactor: boolean
  members: Map<Account, Membership>
  /**
   * The display names that former members had when they left. An account that has joined again keeps its entry, which is then
   * ignored. Null if the account never took another name.
   */
  formerNames: Map<Account, string | null>
  /** Accounts that may have become members, because the brand has invited their confirmed e-mail address. */
  possibleMembers: Map<Account, Role>
  invitations: Invitation[]
  records: ModelRecord[]
  notes: Note[]
  /** The brand's custom fields. */
  fields: { id: string; table: string }[]
  tags: { id: string; isDeleted: boolean }[]
  /** Markers of the e-mail addresses that members may read: typed by a member, or of a person who has opened the brand. */
  memberVisibleAddresses: Set<string>
  /** Markers of the e-mail addresses that admins and owners may read: those of invitations. */
  adminVisibleAddresses: Set<string>
  /** Time when the brand was created (ms). */
  createdAt: number
}

/** A mailed link, and its purpose. */
export interface Link {
  type: 'recovery' | 'signup' | 'email_change' | 'invite'
  token: string
  recipient: string
  /** Null for an invitation, and if the model knows no account for the link. */
  account: Account | null
  /** The account's `linkVersion` when the link was created. */
  linkVersion: number
  invitation: Invitation | null
  brand: Brand | null
  isUsed: boolean
  /** The account's password when the link was created. */
  password: string | null
  /** The new e-mail address that the account had requested when the link was created. Null if there was none. */
  newEmail: string | null
}

/** Describes a secret text and who may read it. Its marker is recognised in every response. */
interface Secret {
  what: string
  /** `anyLevel`: the response may also name brands that require a higher level than the session's. `from`: the source of the response. */
  mayBeRead: (reader: Session, anyLevel: boolean, from: string) => boolean
}

/** The model of one life, a random sequence of user actions: what the server should have stored, and who may read it. */
export interface World {
  site: Site
  /** A text that all markers of this life contain, and no marker of another life. */
  tag: string
  accounts: Account[]
  sessions: Session[]
  /** The ids of brands, each with the brands that have had this id, oldest first. */
  slots: { id: string; brands: Brand[] }[]
  /** E-mail addresses without an account at the start. Person n can read the mail to the address at index n. */
  freeAddresses: string[]
  /** The people who have or had each e-mail address, by its marker. */
  holders: Map<string, Set<number>>
  links: Link[]
  /** The id of the last mail that was read. '0' before the first. */
  lastMail: string
  secrets: Map<string, Secret>
  /** The log: a sentence for each attempt. */
  log: string[]
  /** Forbidden effects and readings. */
  complaints: string[]
  /** Kinds of steps that had an effect. */
  done: Set<string>
}

let worldCount = 0

/** Creates an empty model. Its tag is part of all its markers. */
export function newWorld(site: Site): World {
  const tag = (++worldCount + Date.now() * 1000).toString(36).slice(-6)
  const world: World = {
    site,
    tag,
    accounts: [],
    sessions: [],
    slots: Array.from({ length: 3 }, () => ({ id: randomUUID(), brands: [] })),
    freeAddresses: [],
    holders: new Map(),
    links: [],
    lastMail: '0',
    secrets: new Map(),
    log: [],
    complaints: [],
    done: new Set(),
  }
  world.freeAddresses = peopleNames.map(() => newAddress(world))
  return world
}

/** Creates a unique word: a secret text, or a part of one. It is recognised in every response. */
export function newMarker(world: World, secret: Secret): string {
  const marker = `q${world.tag}x${world.secrets.size.toString(36).padStart(2, '0')}q`
  world.secrets.set(marker, secret)
  return marker
}

/** Finds the markers of all lives in a text. */
export const markerPattern = /q[0-9a-z]{6}x[0-9a-z]{2}q/g

/** Creates a new e-mail address. Only people who have or had it, and members of brands that know it, may read it. */
export function newAddress(world: World): string {
  const marker = newMarker(world, {
    what: 'an address',
    mayBeRead: (reader, anyLevel) =>
      world.holders.get(marker)?.has(reader.account.person) ||
      livingBrands(world).some(
        (brand) =>
          isMember(reader, brand, anyLevel) &&
          (brand.memberVisibleAddresses.has(marker) ||
            (brand.adminVisibleAddresses.has(marker) && brand.members.get(reader.account)?.role !== 'member')),
      ),
  })
  return `${marker}@lives.example`
}

/** Records that a person has or had this e-mail address, and therefore may read it. */
export function recordAddress(world: World, person: number, email: string): void {
  const marker = markerOf(email)
  world.holders.set(marker, new Set([...(world.holders.get(marker) ?? []), person]))
}

/** Returns the marker of an e-mail address: its local part, which is also the default display name of a new member. */
export function markerOf(email: string): string {
  return email.split('@')[0] ?? ''
}

/** Returns 2 if both factors are verified, 1 if the account has no second factor, 0 if it has one that this session has not verified. */
export function levelOf({ account, isProved }: Session): 0 | 1 | 2 {
  if (account.factor === null) return 1
  return isProved ? 2 : 0
}

/** True if this session has access to the brand. `anyLevel`: also if the session's level is too low for the brand. */
export function isMember(session: Session, brand: Brand, anyLevel = false): boolean {
  if (!brand.isAlive || !session.isAlive || !brand.members.has(session.account)) return false
  return anyLevel || levelOf(session) >= (brand.requiresFactor ? 2 : 1)
}

/** Removes a member from the model. The person may still read their own last display name there: see `formerNamesReading`. */
export function endMembership(brand: Brand, account: Account): void {
  brand.formerNames.set(account, brand.members.get(account)?.displayName ?? null)
  brand.members.delete(account)
  brand.possibleMembers.delete(account)
}

/** Returns the display name with which an account joins: the one that it had when it left, or null for the beginning of its e-mail address. */
export function nameAtJoining(brand: Brand, account: Account): string | null {
  return brand.formerNames.get(account) ?? null
}

/** The source of a reading: the part of an export that lists the brands that the person has left, with their own last name in each. */
export const formerNamesReading = 'the former memberships in export_my_data'

/** True if this is the account's own session, and the display name is the one that the account had when it left the brand. */
export function isOwnFormerName(session: Session, brand: Brand, account: Account, displayName: string): boolean {
  return (
    brand.isAlive &&
    session.isAlive &&
    levelOf(session) > 0 &&
    session.account === account &&
    !brand.members.has(account) &&
    brand.formerNames.get(account) === displayName
  )
}

/** Returns the session's role in the brand. Null without access. */
export function roleOf(session: Session, brand: Brand): Role | null {
  return isMember(session, brand) ? (brand.members.get(session.account)?.role ?? null) : null
}

/** Returns the brands that are not deleted. */
export function livingBrands({ slots }: World): Brand[] {
  return slots.flatMap(({ brands }) => brands).filter(({ isAlive }) => isAlive)
}

/** Returns the last brand with the id of a slot. Undefined if the id was never used. */
export function brandAt({ slots }: World, index: number): Brand | undefined {
  return slots[index % slots.length]?.brands.at(-1)
}

/** Records a complaint: a sentence about a forbidden effect or reading. */
export function complain(world: World, sentence: string): void {
  world.complaints.push(sentence)
}

/** Adds an attempt and its outcome to the log. */
export function logAttempt(world: World, sentence: string, isDone: boolean): void {
  world.log.push(`${sentence}${isDone ? '' : ' (refused)'}`)
}
