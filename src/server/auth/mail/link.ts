import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** What a mailed link does; the same words as in the client's `verifyOtp({ type })`. */
export const linkTypes = ['signup', 'recovery', 'email_change', 'invite'] as const
export type LinkType = (typeof linkTypes)[number]

/** A link as the outbox stores it. It opens nothing without the server's secret. */
export const link = z.object({
  type: z.enum(linkTypes),
  /** The id of the one-time token, or the product's id of an invitation. */
  id: z.guid(),
  /** The path that the app opens afterwards. */
  next: z.string().optional(),
  /** Prefills a form. */
  email: z.string().optional(),
})
export type Link = z.infer<typeof link>

const idBytes = 16

/** The `token_hash` of a link: the id, and a keyed hash of id and type. 48 bytes as base64url. */
export function linkToken(type: LinkType, id: string, secret: Buffer): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.concat([bytes, keyedHash(type, bytes, secret)]).toString('base64url')
}

/** The id of a token of this type, or null if this server has not made it. Needs no query. */
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

/** The six digits for an id, which `reauthenticate` mails. */
export function codeOf(id: string, secret: Buffer): string {
  const number = createHmac('sha256', secret).update(`code ${id}`).digest().readUIntBE(0, 6)
  return String(number % 1_000_000).padStart(6, '0')
}

/**
 * The address in a mail: a page of the app, which uses the token after a click. Scanners and previews (GET) use
 * nothing. All parameters are in the fragment, which browsers send to no server, so that no access log, proxy or
 * `Referer` contains a token.
 */
export function linkAddress(siteUrl: string, { type, id, next, email }: Link, secret: Buffer): string {
  const carried = new URLSearchParams({ token_hash: linkToken(type, id, secret), type, next: next ?? '/' })
  if (email !== undefined) carried.set('email', email)
  return `${siteUrl}/auth/confirm#${carried}`
}

const maxPathLength = 500

/**
 * The path of the app that a client asks for (`redirect_to`): same origin, no path of the API, nothing that a browser
 * could read as another host. Anything else becomes `/`.
 */
export function pathWithin(siteUrl: string, wanted: string | null | undefined): string {
  if (!wanted || wanted.length > maxPathLength || !URL.canParse(wanted, siteUrl)) return '/'
  const url = new URL(wanted, siteUrl)
  if (url.origin !== new URL(siteUrl).origin || url.username !== '' || url.password !== '') return '/'
  const path = `${url.pathname}${url.search}`
  return /^\/(?![/\\])/.test(path) && !/^\/[a-z]+\/v\d+(\/|$)/.test(path) ? path : '/'
}
