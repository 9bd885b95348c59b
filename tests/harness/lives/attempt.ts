import type { Step } from './steps.ts'
import {
  type Account,
  type Brand,
  brandAt,
  complain,
  isMember,
  livingBrands,
  type Session,
  tell,
  type World,
} from './world.ts'

export type Act = (world: World, step: Step) => Promise<void>

interface Attempt {
  /** What was tried, as a sentence. */
  what: string
  /** Whether it may have an effect; 'perhaps' where the rules leave it open. */
  isAllowed: boolean | 'perhaps'
  isDone: boolean
}

/** Tells of an attempt, and complains where it had an effect that it must not have. Answers whether it had one. */
export function judge(world: World, { kind }: Step, { what, isAllowed, isDone }: Attempt): boolean {
  tell(world, what, isDone)
  if (isDone && isAllowed === false) complain(world, `"${what}" must be refused`)
  if (isDone) world.done.add(kind)
  return isDone
}

/** One of the active sessions of the acting person; undefined if there is none. */
export function sessionOf({ sessions }: World, { who, which }: Step): Session | undefined {
  const living = sessions.filter(({ account, isAlive }) => isAlive && account.person === who)
  return living[which % living.length]
}

/** One of the accounts of the acting person. */
export function accountOf({ accounts }: World, { who, which }: Step): Account {
  const own = accounts.filter(({ person }) => person === who)
  return own[which % own.length] as Account
}

/** The account that a step is about. */
export function otherOf({ accounts }: World, { other }: Step): Account {
  return accounts[other % accounts.length] as Account
}

/**
 * The session that acts, and the brand: nothing where one of them is missing. Every other time somebody acts who belongs to the
 * brand, if anybody does: most of what strangers try is refused, and a life goes on by what is not. `isWanted`: a brand that has
 * what the step is about, where there is one.
 */
export function inBrand(
  world: World,
  step: Step,
  isWanted: (brand: Brand) => boolean = () => true,
): { session: Session; brand: Brand } | undefined {
  const own = sessionOf(world, step)
  const given = brandAt(world, step.brand)
  const brand = given && isWanted(given) ? given : (livingBrands(world).find(isWanted) ?? given)
  if (!own || !brand) return undefined
  const isAble = (session: Session) => session.isAlive && isMember(session, brand)
  const session = step.which === 0 && !isAble(own) ? (world.sessions.find(isAble) ?? own) : own
  return { session, brand }
}
