import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** The types of mailed links, with the names that the official client uses in `verifyOtp({ type })`. */
export const linkTypes = ['signup', 'recovery', 'email_change', 'invite'] as const
export type LinkType = (typeof linkTypes)[number]

/** The schema of a link as the outbox stores it: without a token. Without the server's secret, nobody can build the URL from it. */
export const storedLinkSchema = z.object({
  type: z.enum(linkTypes),
  /** The id of the one-time token; for an invitation, its id in the product's SQL. */
  id: z.guid(),
  /** The path that the app opens after the link was used. */
  next: z.string().optional(),
  /** The e-mail address that the page fills into its form. */
  email: z.string().optional(),
})
export type StoredLink = z.infer<typeof storedLinkSchema>

const idBytes = 16

/** Returns the `token_hash` of a link: the id, and a keyed hash of id and type (48 bytes in base64url). */
export function linkToken(type: LinkType, id: string, secret: Buffer): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.concat([bytes, keyedHash(type, bytes, secret)]).toString('base64url')
}

/**
 * Returns the id in a link's token. Returns null if this installation did not create the token, or created it for another type.
 * Sends no query to the database.
 */
export function readLinkToken(type: LinkType, token: string, secret: Buffer): string | null {
  if (!/^[\w-]{64}$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const id = bytes.subarray(0, idBytes)
  if (!timingSafeEqual(keyedHash(type, id, secret), bytes.subarray(idBytes))) return null
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function keyedHash(type: LinkType, id: Buffer, secret: Buffer): Buffer {
  return createHmac('sha256', secret).update(`link ${type} `).update(id).digest()
}

/** Returns the six-digit code that is derived from an id. The mail of `reauthenticate` contains it. */
export function codeFromId(id: string, secret: Buffer): string {
  const number = createHmac('sha256', secret).update(`code ${id}`).digest().readUIntBE(0, 6)
  return String(number % 1_000_000).padStart(6, '0')
}

/**
 * Returns the URL of a link for a mail. The URL opens a page of the app, which uses the token only after a click, so
 * scanners and previews (GET) do not use it up. All parameters are in the fragment, which browsers do not send, so that no
 * access log, proxy or `Referer` header contains a token.
 */
export function linkUrl(siteUrl: string, { type, id, next, email }: StoredLink, secret: Buffer): string {
  const parameters = new URLSearchParams({ token_hash: linkToken(type, id, secret), type, next: next ?? '/' })
  if (email !== undefined) parameters.set('email', email)
  return `${siteUrl}/auth/confirm#${parameters}`
}

const maxPathLength = 500

/**
 * Returns the path and query of the URL `wanted` (`redirect_to`, which a client sends) if it belongs to the app: same origin,
 * at most 500 characters, not of the API, and nothing that a browser could read as another host. Otherwise returns `/`.
 */
export function pathWithin(siteUrl: string, wanted: string | null | undefined): string {
  if (!wanted || wanted.length > maxPathLength || !URL.canParse(wanted, siteUrl)) return '/'
  const url = new URL(wanted, siteUrl)
  if (url.origin !== new URL(siteUrl).origin || url.username !== '' || url.password !== '') return '/'
  const path = `${url.pathname}${url.search}`
  return /^\/(?![/\\])/.test(path) && !/^\/[a-z]+\/v\d+(\/|$)/.test(path) ? path : '/'
}
