import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { type HttpError, refusal } from '#server/http/errors.ts'
import { networkOf } from '#server/http/network.ts'
import type { Querier } from './users.ts'

export interface RateLimits {
  /** Counts an attempt of this address: a sign-up, a requested mail. Throws 429 above the limit. */
  countAttempt(db: Querier, address: string): Promise<void>
  /**
   * Counts a password attempt by address and account, as a wrong one, before the password is checked. Throws 429 above
   * the limit; a refused attempt is not counted. Call it inside the hash queue: one at a time per account.
   */
  countGuess(db: Querier, email: string, address: string): Promise<void>
  /** The password was right: counts it as a sign-in of the account, and no longer as a wrong attempt. */
  countSuccess(db: Querier, email: string, address: string): Promise<void>
}

/**
 * Wrong passwords per account and minute, from all networks. The same number again is reserved for networks without a
 * recent wrong attempt.
 */
const wrongPasswordsPerMinute = 5

/**
 * Factor on an address's attempts for accounts that have a session from this address: many people of one office share
 * it.
 */
const sharedAddressFactor = 4

interface Counts {
  of_address: number
  right_of_account: number
  wrong_of_account: number
  wrong_of_pair: number
  wrong_of_pair_lately: number
  is_familiar: boolean
}

/**
 * Limits on guessing and on sign-ins, counted in auth.attempts, which survives a restart.
 * Per address: `perAddress` attempts in five minutes, right or wrong (0: no limits at all); up to four times as many
 * for accounts with a session from this address, so that people in one office do not lock each other out.
 * Per account: `perAddress` right sign-ins in five minutes, and 10 wrong ones in a minute. Half of the wrong ones are
 * reserved for networks without a wrong attempt on it in the last 15 minutes, so that a guesser cannot lock out the
 * owner. A network with a session of the account is limited by its own wrong attempts only.
 * Subjects are stored as keyed hashes: the table contains no addresses.
 */
export function createRateLimits(perAddress: number, secret: Buffer): RateLimits {
  if (perAddress === 0) return { countAttempt: nothing, countGuess: nothing, countSuccess: nothing }

  const subjectOf = (kind: string, text: string) =>
    createHmac('sha256', secret).update(`${kind} ${text}`).digest('base64url')
  const subjectsOf = (email: string | null, address: string): Subjects => ({
    address: subjectOf('address', networkOf(address)),
    account: email && subjectOf('account', email),
    pair: email && subjectOf('pair', `${email} ${networkOf(address)}`),
    right: email && subjectOf('right', email),
  })

  async function refuseThrottled(
    db: Querier,
    email: string | null,
    address: string,
    subjects: Subjects,
  ): Promise<void> {
    const { rows } = await db.query<Counts>({
      name: 'auth-attempts-read',
      text: readCountsSql,
      values: [subjects.address, subjects.account, subjects.pair, subjects.right, email, range(address)],
    })
    const [counts] = rows
    if (counts === undefined) return
    const most = counts.is_familiar ? sharedAddressFactor * perAddress : perAddress
    if (counts.of_address >= most || counts.right_of_account >= perAddress) throw throttled(300)
    if (isAccountThrottled(counts)) throw throttled(60)
  }

  async function countAttempt(db: Querier, address: string): Promise<void> {
    const subjects = subjectsOf(null, address)
    await refuseThrottled(db, null, address, subjects)
    const { rows } = await db.query<{ place: number }>({
      name: 'auth-attempts-place',
      text: countOneSql,
      values: [subjects.address],
    })
    if ((rows[0]?.place ?? 0) <= perAddress) return
    await count(db, [subjects.address], -1)
    throw throttled(300)
  }

  async function countGuess(db: Querier, email: string, address: string): Promise<void> {
    const subjects = subjectsOf(email, address)
    await refuseThrottled(db, email, address, subjects)
    await count(db, [subjects.address, subjects.account, subjects.pair], 1)
  }

  async function countSuccess(db: Querier, email: string, address: string): Promise<void> {
    const { account, pair, right } = subjectsOf(email, address)
    await count(db, [account, pair], -1)
    await count(db, [right], 1)
  }

  return { countAttempt, countGuess, countSuccess }
}

interface Subjects {
  address: string
  account: string | null
  pair: string | null
  right: string | null
}

function isAccountThrottled(counts: Counts): boolean {
  if (counts.is_familiar) return counts.wrong_of_pair >= wrongPasswordsPerMinute
  if (counts.wrong_of_account < wrongPasswordsPerMinute) return false
  return counts.wrong_of_pair_lately > 0 || counts.wrong_of_account >= 2 * wrongPasswordsPerMinute
}

const readCountsSql = `
  select coalesce(sum(n) filter (where subject = $1 and at > now() - interval '5 minutes'), 0)::int as of_address,
         coalesce(sum(n) filter (where subject = $2 and at > now() - interval '1 minute'), 0)::int as wrong_of_account,
         coalesce(sum(n) filter (where subject = $3 and at > now() - interval '1 minute'), 0)::int as wrong_of_pair,
         coalesce(sum(n) filter (where subject = $3), 0)::int as wrong_of_pair_lately,
         coalesce(sum(n) filter (where subject = $4 and at > now() - interval '5 minutes'), 0)::int as right_of_account,
         exists (select from auth.users u join auth.sessions s on s.user_id = u.id
                 where u.email = $5 and not u.is_sso_user and s.ip <<= $6::inet) as is_familiar
  from auth.attempts
  where subject in ($1, $2, $3, $4) and at > now() - interval '15 minutes'`

/** Concurrent requests each get a different count. */
const countOneSql = `
  with counted as (
    insert into auth.attempts (subject, at, n) values ($1, date_bin('10 seconds', now(), 'epoch'), 1)
    on conflict (subject, at) do update set n = auth.attempts.n + 1
    returning at, n
  )
  select (c.n + coalesce(sum(a.n), 0))::int as place
  from counted c left join auth.attempts a on a.subject = $1 and a.at <> c.at and a.at > now() - interval '5 minutes'
  group by c.n`

/** One row per subject and ten seconds, so that a count reads few rows. Old rows are deleted now and then. */
async function count(db: Querier, subjects: readonly (string | null)[], by: 1 | -1): Promise<void> {
  await db.query({
    name: 'auth-attempts-count',
    text: `
      insert into auth.attempts (subject, at, n)
      select subject, date_bin('10 seconds', now(), 'epoch'), $2 from unnest($1::text[]) as subject order by subject
      on conflict (subject, at) do update set n = auth.attempts.n + $2`,
    values: [subjects, by],
  })
  if (Math.random() < 0.01) await db.query(`delete from auth.attempts where at < now() - interval '1 hour'`)
}

/** A caller's network in PostgreSQL's format; null if the text is no IP address. */
function range(address: string): string | null {
  const version = isIP(address)
  if (version === 0) return null
  return version === 4 ? `${address}/32` : `${networkOf(address)}::/64`
}

function throttled(seconds: number): HttpError {
  return refusal('over_request_rate_limit', { headers: { 'Retry-After': String(seconds) } })
}

async function nothing(): Promise<void> {}
