import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { type HttpError, refusal } from '#server/http/errors.ts'
import type { Querier } from './users.ts'

export interface RateLimits {
  /** Throws 429 where this address has made too many attempts, or this account has seen too many failures. */
  refuseThrottled(db: Querier, email: string | null, address: string): Promise<void>
  /** Counts a failed sign-in. */
  countFailure(db: Querier, email: string, address: string): Promise<void>
  /** Counts an attempt of this address alone: a sign-up. */
  countAttempt(db: Querier, address: string): Promise<void>
}

/** Failed sign-ins per account and minute from anywhere; as many again only from addresses that have not failed here lately. */
const FAILURES_PER_MINUTE = 5

interface Counts {
  of_address: number
  of_account: number
  of_pair: number
  of_pair_lately: number
  is_familiar: boolean
}

/**
 * Limits on guessing, counted in auth.attempts so that a restart forgets nothing. An address has `perAddress` attempts in
 * five minutes (0: no limits at all). An account has 10 failures in a minute, and half of them are kept for addresses that
 * have not failed there in 15 minutes: a stranger who goes on guessing uses up his own half, and the owner gets in from
 * elsewhere at once; an address that the owner has a session from is measured by its own failures alone. Subjects are
 * stored as keyed hashes: the table names nobody.
 */
export function createRateLimits(perAddress: number, secret: Buffer): RateLimits {
  if (perAddress === 0) return { refuseThrottled: nothing, countFailure: nothing, countAttempt: nothing }

  const subjectOf = (kind: string, text: string) =>
    createHmac('sha256', secret).update(`${kind} ${text}`).digest('base64url')
  const ofAddress = (address: string) => subjectOf('address', network(address))
  const ofAccount = (email: string) => subjectOf('account', email)
  const ofPair = (email: string, address: string) => subjectOf('pair', `${email} ${network(address)}`)

  async function refuseThrottled(db: Querier, email: string | null, address: string): Promise<void> {
    const { rows } = await db.query<Counts>({
      name: 'auth-attempts-read',
      text: READ_COUNTS,
      values: [ofAddress(address), email && ofAccount(email), email && ofPair(email, address), email, address],
    })
    const [counts] = rows
    if (counts && counts.of_address >= perAddress) throw throttled(300)
    if (counts && isAccountThrottled(counts)) throw throttled(60)
  }

  async function countFailure(db: Querier, email: string, address: string): Promise<void> {
    await count(db, [ofAddress(address), ofAccount(email), ofPair(email, address)])
  }

  async function countAttempt(db: Querier, address: string): Promise<void> {
    await count(db, [ofAddress(address)])
  }

  return { refuseThrottled, countFailure, countAttempt }
}

function isAccountThrottled(counts: Counts): boolean {
  if (counts.is_familiar) return counts.of_pair >= FAILURES_PER_MINUTE
  if (counts.of_account < FAILURES_PER_MINUTE) return false
  return counts.of_pair_lately > 0 || counts.of_account >= 2 * FAILURES_PER_MINUTE
}

const READ_COUNTS = `
  select coalesce(sum(n) filter (where subject = $1 and at > now() - interval '5 minutes'), 0)::int as of_address,
         coalesce(sum(n) filter (where subject = $2 and at > now() - interval '1 minute'), 0)::int as of_account,
         coalesce(sum(n) filter (where subject = $3 and at > now() - interval '1 minute'), 0)::int as of_pair,
         coalesce(sum(n) filter (where subject = $3), 0)::int as of_pair_lately,
         exists (select from auth.users u join auth.sessions s on s.user_id = u.id
                 where u.email = $4 and not u.is_sso_user and s.ip = $5::inet) as is_familiar
  from auth.attempts
  where subject in ($1, $2, $3) and at > now() - interval '15 minutes'`

/** One row a subject and ten seconds, so that a count is a few rows; now and then the old ones go. */
async function count(db: Querier, subjects: string[]): Promise<void> {
  await db.query({
    name: 'auth-attempts-count',
    text: `
      insert into auth.attempts (subject, at, n)
      select subject, date_bin('10 seconds', now(), 'epoch'), 1 from unnest($1::text[]) as subject order by subject
      on conflict (subject, at) do update set n = auth.attempts.n + 1`,
    values: [subjects],
  })
  if (Math.random() < 0.01) await db.query(`delete from auth.attempts where at < now() - interval '1 hour'`)
}

/** What one caller has: an IPv4 address, or all of a /64. */
export function network(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  if (tail === undefined) return groups.slice(0, 4).join(':')
  const after = tail.split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0')
  return [...groups, ...zeros, ...after].slice(0, 4).join(':')
}

function throttled(seconds: number): HttpError {
  return refusal('over_request_rate_limit', { headers: { 'Retry-After': String(seconds) } })
}

async function nothing(): Promise<void> {}
