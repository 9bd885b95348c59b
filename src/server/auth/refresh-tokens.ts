import { createHash, createHmac, randomBytes } from 'node:crypto'

/** The first refresh token of a session: 256 random bits. */
export function newRefreshToken(): string {
  return randomBytes(32).toString('base64url')
}

/**
 * The token that follows `token`. It is computed, not drawn, so that whoever resends the parent gets the same child back
 * although the database keeps no token, only hashes. Without the secret it cannot be foreseen.
 */
export function nextRefreshToken(token: string, secret: Buffer): string {
  return createHmac('sha256', secret).update(token).digest('base64url')
}

/** What the database keeps of a token: its random bits need no slow hash. */
export function hashRefreshToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
