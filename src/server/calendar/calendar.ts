import { createHash } from 'node:crypto'
import type pg from 'pg'
import { UnavailableError } from '#server/db/as-caller.ts'
import { isConnectionLoss } from '#server/db/connection-loss.ts'
import { refusal } from '#server/http/errors.ts'
import type { Handler, HttpRequest } from '#server/http/exchange.ts'
import { networkOf } from '#server/http/network.ts'
import { requireReadMethod } from '#server/http/read-method.ts'
import { type CalendarEvent, toICalendar } from './icalendar.ts'
import { RequestCounts } from './request-counts.ts'

export const calendarPrefix = '/calendar/'

const minuteMs = 60_000
/**
 * Maximum number of requests with a wrong secret, or for another path under /calendar/, per network and minute. Further requests of the
 * network get 429 until the minute ends, also with a right secret.
 */
const wrongSecretsPerMinute = 30
/** Maximum number of requests per feed and minute. Calendar apps send one request per hour or fewer. */
const readsPerMinute = 20

/**
 * Creates the handler of `GET /calendar/SECRET.ics`: it returns the feed of this secret, from the product's SQL
 * (`private.calendar_of`), as iCalendar. An unknown secret and any other path get 404, another method 405,
 * too many requests 429. An unchanged feed (`If-None-Match`) gets 304. While the database is unreachable, the response is 503.
 */
export function createCalendarHandler(owner: Pick<pg.Pool, 'query'>, siteUrl: string): Handler {
  const wrongByNetwork = new RequestCounts(wrongSecretsPerMinute, minuteMs)
  const readsBySecret = new RequestCounts(readsPerMinute, minuteMs)

  async function icalendarOf({ path, ip }: HttpRequest): Promise<string> {
    const network = networkOf(ip)
    const [, secret = ''] = /^\/calendar\/([0-9a-f]{64})\.ics$/.exec(path) ?? []
    if (wrongByNetwork.isFull(network) || readsBySecret.isFull(secret))
      throw refusal('over_request_rate_limit', { headers: { 'Retry-After': '60' } })
    // The request is counted before the feed is read, so that concurrent requests count too. A secret counts as wrong until its
    // feed is found or cannot be read.
    if (secret !== '') readsBySecret.add(secret)
    wrongByNetwork.add(network)
    if (secret === '') throw refusal('not_found')
    const feed = await readFeed(owner, secret).catch((error: unknown) => {
      wrongByNetwork.uncount(network)
      if (error instanceof UnavailableError || isConnectionLoss(error))
        throw refusal('unavailable', { headers: { 'Retry-After': '1' } })
      throw error
    })
    if (feed === null) throw refusal('not_found')
    wrongByNetwork.uncount(network)
    return toICalendar(feed, siteUrl)
  }

  return async (request) => {
    requireReadMethod(request)
    const body = await icalendarOf(request)
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
    const headers = { 'Cache-Control': 'private, no-cache', ETag: etag }
    const clientEtags = request.headers['if-none-match']
      ?.split(',')
      .map((etagText) => etagText.trim().replace(/^W\//, ''))
    if (clientEtags?.includes(etag)) return { status: 304, headers }
    return {
      status: 200,
      headers: {
        ...headers,
        'Content-Type': 'text/calendar; charset=utf-8',
        'Content-Disposition': 'inline; filename="tasks.ics"',
      },
      body,
    }
  }
}

interface Feed {
  name: string
  events: CalendarEvent[]
}

async function readFeed(owner: Pick<pg.Pool, 'query'>, secret: string): Promise<Feed | null> {
  const { rows } = await owner.query<{ feed: Feed | null }>({
    name: 'calendar-read',
    text: 'select private.calendar_of($1) as feed',
    values: [secret],
  })
  return rows[0]?.feed ?? null
}
