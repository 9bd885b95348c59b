import type { Step } from './steps.ts'
import {
  type Account,
  type Brand,
  brandAt,
  complain,
  isMember,
  livingBrands,
  type Session,
  logAttempt,
  type World,
} from './world.ts'

/** Takes a step of one kind: sends its requests, judges the attempt, and updates the model. Does nothing if nobody can take the step. */
export type Action = (world: World, step: Step) => Promise<void>

interface Attempt {
  /** Describes the attempt in a sentence. */
  what: string
  /** True if the attempt may have an effect; 'perhaps' if the rules do not decide. */
  isAllowed: boolean | 'perhaps'
  isDone: boolean
}

/** Logs an attempt, and records a complaint if the attempt had a forbidden effect. Returns whether it had an effect. */
export function judgeAttempt(world: World, { kind }: Step, { what, isAllowed, isDone }: Attempt): boolean {
  logAttempt(world, what, isDone)
  if (isDone && isAllowed === false) complain(world, `"${what}" must be refused`)
  if (isDone) world.done.add(kind)
  return isDone
}

/** Returns one of the active sessions of the acting person. Undefined if there is none. */
export function sessionOf({ sessions }: World, { who, itemIndex }: Step): Session | undefined {
  const livingSessions = sessions.filter(({ account, isAlive }) => isAlive && account.person === who)
  return livingSessions[itemIndex % livingSessions.length]
}

/** Returns one of the accounts of the acting person. */
export function accountOf({ accounts }: World, { who, itemIndex }: Step): Account {
  const ownAccounts = accounts.filter(({ person }) => person === who)
  return ownAccounts[itemIndex % ownAccounts.length] as Account
}

/** Returns the account that a step affects. */
export function affectedAccount({ accounts }: World, { affectedIndex }: Step): Account {
  return accounts[affectedIndex % accounts.length] as Account
}

/**
 * Returns the acting session and the brand. Undefined if one is missing. In half of the steps (`itemIndex` is 0), a member of the
 * brand acts if there is one: most attempts of others are refused, and a life needs some that succeed. Prefers a brand for which
 * `isSuitable` returns true.
 */
export function sessionAndBrand(
  world: World,
  step: Step,
  isSuitable: (brand: Brand) => boolean = () => true,
): { session: Session; brand: Brand } | undefined {
  const ownSession = sessionOf(world, step)
  const selectedBrand = brandAt(world, step.brand)
  const brand =
    selectedBrand && isSuitable(selectedBrand) ? selectedBrand : (livingBrands(world).find(isSuitable) ?? selectedBrand)
  if (!ownSession || !brand) return undefined
  const isAble = (session: Session) => session.isAlive && isMember(session, brand)
  const session = step.itemIndex === 0 && !isAble(ownSession) ? (world.sessions.find(isAble) ?? ownSession) : ownSession
  return { session, brand }
}
