import type { IncomingHttpHeaders } from 'node:http'
import { refusal } from '#server/http/errors.ts'
import type { AcceptedFormat, Preferences } from './request.ts'

const acceptedTypes = new Map([
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['application/json', 'application/json'],
  ['application/vnd.pgrst.array', 'application/json'],
  ['application/vnd.pgrst.array+json', 'application/json'],
  ['application/vnd.pgrst.object', 'application/vnd.pgrst.object+json'],
  ['application/vnd.pgrst.object+json', 'application/vnd.pgrst.object+json'],
])

/** Returns the first supported media type of `Accept`; JSON if the header is missing. Throws 406 PGRST107 if no type is supported. */
export function parseAccept(header: string | undefined): AcceptedFormat {
  for (const part of (header || '*/*').split(',')) {
    const [type = '', ...options] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const contentType = acceptedTypes.get(type)
    if (!contentType) continue
    const stripNulls = options.includes('nulls=stripped')
    const isSingle = contentType.includes('object')
    return { isSingle, stripNulls, contentType: `${contentType}${stripNulls ? ';nulls=stripped' : ''}; charset=utf-8` }
  }
  throw refusal('PGRST107', { message: `None of these media types are available: ${shorten(header ?? '')}` })
}

/**
 * Parses the comma-separated preferences of the header `Prefer`. Unknown preferences are ignored; with `handling=strict`
 * they are refused (PGRST122). `tx=rollback` is always refused, because this server does not support it.
 */
export function parsePreferences(header: string | undefined): Preferences {
  const preferences: Preferences = {
    returnsRows: false,
    count: false,
    resolution: null,
    missingDefault: false,
    maxAffected: null,
    applied: '',
  }
  if (!header) return preferences
  const applied: string[] = []
  const unknown: string[] = []
  const wantedPreferences = header.split(',').map((part) => part.trim())
  const isStrict = wantedPreferences.includes('handling=strict')
  for (const preference of wantedPreferences) {
    if (preference === '') continue
    if (preference === 'tx=rollback') throw refusal('PGRST127', { details: 'tx=rollback is not served' })
    if (applyPreference(preferences, preference, isStrict)) applied.push(preference)
    else unknown.push(preference)
  }
  if (isStrict && unknown.length > 0) {
    throw refusal('PGRST122', { details: `Invalid preferences: ${shorten(unknown.join(', '))}` })
  }
  preferences.applied = applied.join(', ')
  return preferences
}

function applyPreference(preferences: Preferences, preference: string, isStrict: boolean): boolean {
  const [name, value = ''] = preference.split('=')
  if (name === 'return') preferences.returnsRows = value === 'representation'
  else if (name === 'count') preferences.count = countKinds.has(value)
  else if (preference === 'resolution=ignore-duplicates') preferences.resolution = 'ignore'
  else if (preference === 'resolution=merge-duplicates') preferences.resolution = 'merge'
  else if (name === 'missing') preferences.missingDefault = value === 'default'
  else if (name === 'max-affected' && /^\d{1,9}$/.test(value)) {
    if (isStrict) preferences.maxAffected = Number(value)
  }
  return knownPreferences.has(preference) || (name === 'max-affected' && isStrict && /^\d{1,9}$/.test(value))
}

/**
 * The kinds of counts that a client may request. This server counts exactly for all three, which is slower but never wrong.
 */
const countKinds = new Set(['exact', 'planned', 'estimated'])
const knownPreferences = new Set([
  'return=representation',
  'return=minimal',
  'count=exact',
  'count=planned',
  'count=estimated',
  'resolution=merge-duplicates',
  'resolution=ignore-duplicates',
  'missing=default',
  'missing=null',
  'handling=strict',
  'handling=lenient',
  'tx=commit',
])

/**
 * Converts the header `Range: 0-9` into offset and limit. Returns null if the header is missing or not valid. Throws 416
 * PGRST103 if the end is before the start.
 */
export function parseRange(header: string | undefined): { offset: number; limit: number | null } | null {
  const match = /^(?:items=)?(\d{1,15})-(\d{1,15})?$/.exec(header?.trim() ?? '')
  if (!match) return null
  const offset = Number(match[1])
  if (match[2] === undefined) return { offset, limit: null }
  const limit = Number(match[2]) - offset + 1
  if (limit >= 1) return { offset, limit }
  const details = 'The lower boundary must be lower than or equal to the upper boundary in the Range header.'
  throw refusal('PGRST103', { details })
}

/**
 * Checks the schema that a request names in `Accept-Profile` (GET and HEAD) or `Content-Profile` (other methods). Throws 406
 * PGRST106 if this is not the exposed schema. A request that names no schema is accepted.
 */
export function checkProfile(method: string, headers: IncomingHttpHeaders, exposedSchema: string): void {
  const isRead = method === 'GET' || method === 'HEAD'
  const profile = headers[isRead ? 'accept-profile' : 'content-profile']
  if (profile === undefined || profile === '' || profile === exposedSchema) return
  throw refusal('PGRST106', {
    message: `Invalid schema: ${shorten(String(profile))}`,
    hint: `Only the following schemas are exposed: ${exposedSchema}`,
  })
}

function shorten(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
