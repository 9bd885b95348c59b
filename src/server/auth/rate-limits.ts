import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import { type HttpError, refusal } from '#server/http/errors.ts'
import { networkOf } from '#server/http/network.ts'
import type { Querier } from './users.ts'

export interface RateLimits {
  /**
   * Counts an attempt of the network of `ip`, such as a sign-up or a requested mail. Throws 429 above the limit; a refused
   * attempt is not counted.
   */
  countAttempt(db: Querier, ip: string): Promise<void>
  /**
   * Counts an attempt of the network of `ip` to give the account's password, at the sign-in or as a proof. Call it before
   * the password is checked: the attempt counts as wrong until `countSuccess` is called. Throws 429 above the limit; a
   * refused attempt is not counted. Call it inside the hash queue, which runs one attempt per account at a time.
   */
  countPasswordAttempt(db: Querier, email: string, ip: string): Promise<void>
  /** Records that the password of the last `countPasswordAttempt` was right. */
  countSuccess(db: Querier, email: string, ip: string): Promise<void>
}

/**
 * Maximum number of wrong passwords per account and minute, from all networks together. The same number in addition is reserved
 * for networks without a recent wrong attempt.
 */
const wrongPasswordsPerMinute = 5

/**
 * The limit of a network is higher by this factor for accounts that have a session from this network, because the people of
 * an office often share one IP address.
 */
const sharedIpFactor = 4

/**
 * The sums of the counters of an attempt. `address` stands for its network, `pair` for account and network
 * together. `is_familiar`: whether the account has a session from this network.
 */
interface AttemptCounts {
  of_address: number
  right_of_account: number
  wrong_of_account: number
  wrong_of_pair: number
  wrong_of_pair_lately: number
  is_familiar: boolean
}

/**
 * Creates the limits on sign-ins and on guessing. The counters are in the table auth.attempts and survive a restart. The key of
 * a counter is an HMAC, so the table contains no e-mail addresses and no IP addresses.
 * - Per network (an IPv4 address or an IPv6 /64): `perIp` attempts in five minutes, right or wrong (0: no limits at all). For an
 *   account with a session from this network the limit is four times as high, so that people in one office do not lock each
 *   other out.
 * - Per account: `perIp` right passwords in five minutes, and 10 wrong passwords in a minute. Half of these 10 are reserved for
 *   networks without a wrong attempt on the account in the last 15 minutes, so that a guesser cannot lock out the user.
 * - Per account and network, if the account has a session from this network: 5 wrong passwords in a minute. Wrong passwords from
 *   other networks do not count here.
 */
export function createRateLimits(perIp: number, secret: Buffer): RateLimits {
  if (perIp === 0) return { countAttempt: doNothing, countPasswordAttempt: doNothing, countSuccess: doNothing }

  const counterKeyOf = (kind: string, text: string) =>
    createHmac('sha256', secret).update(`${kind} ${text}`).digest('base64url')
  const counterKeysOf = (email: string | null, ip: string): CounterKeys => ({
    network: counterKeyOf('address', networkOf(ip)),
    account: email && counterKeyOf('account', email),
    pair: email && counterKeyOf('pair', `${email} ${networkOf(ip)}`),
    right: email && counterKeyOf('right', email),
  })

  async function refuseThrottled(db: Querier, email: string | null, ip: string, keys: CounterKeys): Promise<void> {
    const { rows } = await db.query<AttemptCounts>({
      name: 'auth-attempts-read',
      text: readCountsSql,
      values: [keys.network, keys.account, keys.pair, keys.right, email, cidrOf(ip)],
    })
    const [counts] = rows
    if (counts === undefined) return
    const maxAttempts = counts.is_familiar ? sharedIpFactor * perIp : perIp
    if (counts.of_address >= maxAttempts || counts.right_of_account >= perIp) throw rateLimitRefusal(300)
    if (isAccountThrottled(counts)) throw rateLimitRefusal(60)
  }

  async function countAttempt(db: Querier, ip: string): Promise<void> {
    const keys = counterKeysOf(null, ip)
    await refuseThrottled(db, null, ip, keys)
    const { rows } = await db.query<{ ordinal: number }>({
      name: 'auth-attempts-place',
      text: countOneSql,
      values: [keys.network],
    })
    if ((rows[0]?.ordinal ?? 0) <= perIp) return
    await count(db, [keys.network], -1)
    throw rateLimitRefusal(300)
  }

  async function countPasswordAttempt(db: Querier, email: string, ip: string): Promise<void> {
    const keys = counterKeysOf(email, ip)
    await refuseThrottled(db, email, ip, keys)
    await count(db, [keys.network, keys.account, keys.pair], 1)
  }

  async function countSuccess(db: Querier, email: string, ip: string): Promise<void> {
    const { account, pair, right } = counterKeysOf(email, ip)
    await count(db, [account, pair], -1)
    await count(db, [right], 1)
  }

  return { countAttempt, countPasswordAttempt, countSuccess }
}

/**
 * The keys of the counters of an attempt. `pair` is the key for account and network together, `right` is the key for right
 * passwords of the account. All but `network` are null for an attempt that concerns no account.
 */
interface CounterKeys {
  network: string
  account: string | null
  pair: string | null
  right: string | null
}

function isAccountThrottled(counts: AttemptCounts): boolean {
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

/**
 * Counts one attempt and returns the number of attempts in the last five minutes, including this attempt. Concurrent requests
 * within the same ten seconds get different numbers.
 */
const countOneSql = `
  with counted as (
    insert into auth.attempts (subject, at, n) values ($1, date_bin('10 seconds', now(), 'epoch'), 1)
    on conflict (subject, at) do update set n = auth.attempts.n + 1
    returning at, n
  )
  select (c.n + coalesce(sum(a.n), 0))::int as ordinal
  from counted c left join auth.attempts a on a.subject = $1 and a.at <> c.at and a.at > now() - interval '5 minutes'
  group by c.n`

/**
 * Adds `by` to the counters. A counter has one row per ten seconds, so that reading it needs few rows. One call in a
 * hundred deletes rows that are older than one hour.
 */
async function count(db: Querier, keys: readonly (string | null)[], by: 1 | -1): Promise<void> {
  await db.query({
    name: 'auth-attempts-count',
    text: `
      insert into auth.attempts (subject, at, n)
      select subject, date_bin('10 seconds', now(), 'epoch'), $2 from unnest($1::text[]) as subject order by subject
      on conflict (subject, at) do update set n = auth.attempts.n + $2`,
    values: [keys, by],
  })
  if (Math.random() < 0.01) await db.query(`delete from auth.attempts where at < now() - interval '1 hour'`)
}

/** Returns the network of an IP address in PostgreSQL's format. Returns null if the text is not an IP address. */
function cidrOf(ip: string): string | null {
  const version = isIP(ip)
  if (version === 0) return null
  return version === 4 ? `${ip}/32` : `${networkOf(ip)}::/64`
}

function rateLimitRefusal(seconds: number): HttpError {
  return refusal('over_request_rate_limit', { headers: { 'Retry-After': String(seconds) } })
}

async function doNothing(): Promise<void> {}
