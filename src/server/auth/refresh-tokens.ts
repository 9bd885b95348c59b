import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { SessionLife } from './session-life.ts'
import type { Querier } from './users.ts'

/** Returns the first refresh token of a session: 256 random bits. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * Returns the refresh token that follows the token with this hash. The next token is derived, not random: a repeated request
 * gets the same next token, although the database stores only hashes. Without the secret, nobody can predict the next token.
 * `hash` is enough to derive it, because the verification of a second factor renews the session too, and its request contains no
 * refresh token.
 */
export function nextRefreshToken(hash: string, secret: Buffer): string {
  return createHmac('sha256', secret).update(`after ${hash}`).digest('base64url')
}

/**
 * Returns the hash of a refresh token, which the database stores. A fast hash is enough, because refresh tokens are random.
 */
export function hashRefreshToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/**
 * Marks the active token of a locked session as used, extends the session, and stores and returns the next token. Deletes
 * tokens of the session that were used more than 60 days ago.
 */
export async function replaceRefreshToken(
  db: Querier,
  session: { id: string; user_id: string },
  activeHash: string,
  { secret, life }: { secret: Buffer; life: SessionLife },
): Promise<string> {
  const next = nextRefreshToken(activeHash, secret)
  await db.query({
    name: 'auth-refresh-rotate',
    text: `
      with used as (
        update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp() where token = $2
      ), old as (
        delete from auth.refresh_tokens where session_id = $1 and revoked and updated_at < now() - interval '60 days'
      ), seen as (
        update auth.sessions set refreshed_at = now() at time zone 'utc', updated_at = now(),
          not_after = auth.session_end(created_at, now(), $5, $6)
        where id = $1
      )
      insert into auth.refresh_tokens (token, user_id, revoked, created_at, updated_at, parent, session_id)
      values ($3, $4, false, clock_timestamp(), clock_timestamp(), $2, $1)`,
    values: [session.id, activeHash, hashRefreshToken(next), session.user_id, life.idleDays, life.maxDays],
  })
  return next
}
