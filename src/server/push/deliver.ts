import type pg from 'pg'
import type { Logger } from 'pino'
import { encrypt, maxPayloadBytes } from './encrypt.ts'
import type { PushTransport } from './transport.ts'
import { authorization, type Vapid } from './vapid.ts'

export interface PushDeliveryOptions {
  owner: pg.Pool
  vapid: Vapid
  transport: PushTransport
  log: Logger
  /** Interval at which the product's functions are called (ms). Only tests set it, to a shorter time. */
  intervalMs?: number
}

export interface PushDelivery {
  /** Stops the delivery. Waits at most 2 s for pushes that are being sent. */
  stop: () => Promise<void>
}

interface PushRow {
  id: string
  endpoint: string
  p256dh: string
  auth: string
  payload: string
}

const defaultIntervalMs = 3000
const maxParallel = 20
const stopTimeoutMs = 2000
/** How long a push service keeps a push that it cannot deliver at once (seconds). */
const lifeSeconds = 12 * 3600

/**
 * Starts the delivery of pushes. Every few seconds it calls the product's hooks `private.on_timer()` and
 * `private.tidy_pushes()`, and sends the pushes that `private.take_pushes` returns. When the sending of a push has ended, it
 * takes further ones at once. It reports the status of each response to `private.settle_push`: 0 without a response, 400 for a
 * push that can never be sent. The product's SQL decides what is sent, to whom, and when. Does nothing if the product has no
 * function `private.take_pushes`.
 */
export async function startPushDelivery(options: PushDeliveryOptions): Promise<PushDelivery> {
  const { owner, log, intervalMs = defaultIntervalMs } = options
  const { rows } = await owner.query<{ found: string | null }>(
    `select to_regprocedure('private.take_pushes(integer)') as found`,
  )
  if (!rows[0]?.found) return { stop: async () => {} }
  const sending = new Set<Promise<void>>()
  const stopController = new AbortController()
  let hookCall: Promise<void> | undefined
  let hasHookFailed = false
  let currentTake: Promise<void> | undefined
  /** Whether `take` was called again while `currentTake` runs. Pushes may have been added after `currentTake` has read them. */
  let mustTakeAgain = false
  const timer = setInterval(() => {
    // A hook that takes long does not delay pushes: while the hook of an earlier interval runs, pushes are sent without waiting for it.
    if (hookCall) return take()
    hookCall = callHook().finally(() => {
      hookCall = undefined
      take()
    })
  }, intervalMs)
  timer.unref()

  async function callHook(): Promise<void> {
    try {
      await owner.query('select private.on_timer()')
      hasHookFailed = false
    } catch (error) {
      // Without the database, each call fails. Only the first failure of a series is a warning.
      log[hasHookFailed ? 'debug' : 'warn']({ err: error }, 'the timer of the product failed: no reminders are created')
      hasHookFailed = true
    }
    // Unwanted pushes are removed before pushes are taken, so that they do not delay others.
    await owner
      .query('select private.tidy_pushes()')
      .catch((error: unknown) => log.debug({ err: error }, 'unwanted pushes could not be removed'))
  }

  function take(): void {
    mustTakeAgain = currentTake !== undefined
    currentTake ??= sendWaiting()
      .catch((error: unknown) => log.debug({ err: error }, 'pushes could not be read'))
      .finally(() => {
        currentTake = undefined
        if (mustTakeAgain) take()
      })
  }

  /** Begins to send the pushes that wait, at most `maxParallel` at once. A push whose sending has ended makes room for the next one. */
  async function sendWaiting(): Promise<void> {
    while (!stopController.signal.aborted && sending.size < maxParallel) {
      const { rows: pushes } = await owner.query<PushRow>({
        name: 'push-take',
        text: 'select id, endpoint, p256dh, auth, payload from private.take_pushes($1)',
        values: [maxParallel - sending.size],
      })
      if (pushes.length === 0) return
      for (const push of pushes) {
        const sent = deliver(options, push)
          .catch((error: unknown) => log.debug({ err: error }, 'the status of a push could not be stored'))
          .finally(() => {
            sending.delete(sent)
            if (!stopController.signal.aborted) take()
          })
        sending.add(sent)
      }
    }
  }

  return {
    stop: async () => {
      stopController.abort()
      clearInterval(timer)
      const ended = Promise.all([hookCall, currentTake]).then(() => Promise.all(sending))
      await Promise.race([ended, new Promise<void>((resolve) => setTimeout(resolve, stopTimeoutMs).unref())])
    },
  }
}

async function deliver({ owner, vapid, transport, log }: PushDeliveryOptions, push: PushRow): Promise<void> {
  const status = await send(vapid, transport, push).catch((error: unknown) => {
    // The endpoint's URL is a secret of the browser, so the log contains only its host.
    log.warn({ push: push.id, host: hostOf(push.endpoint), reason: messageOf(error) }, 'a push was not delivered')
    return error instanceof UnsendablePushError ? 400 : 0
  })
  await owner.query('select private.settle_push($1, $2)', [push.id, status])
}

/**
 * Returns the host of an endpoint, or null if the endpoint is not a valid URL. SQL checks only the form of an endpoint, so
 * it may be invalid, such as https://xn--a.com.
 */
function hostOf(endpoint: string): string | null {
  return URL.canParse(endpoint) ? new URL(endpoint).host : null
}

/** Thrown for a push whose payload is too long or cannot be encrypted, or whose endpoint is no valid URL. Such a push must not be tried again. */
class UnsendablePushError extends Error {}

/** Encrypts a push and sends it to its push service. Returns the status of the response. */
async function send(
  vapid: Vapid,
  transport: PushTransport,
  { endpoint, p256dh, auth, payload }: PushRow,
): Promise<number> {
  if (!URL.canParse(endpoint)) throw new UnsendablePushError('The endpoint is not a valid URL')
  const text = Buffer.from(payload)
  if (text.length > maxPayloadBytes) throw new UnsendablePushError('The payload is too long')
  let body: Buffer
  try {
    body = encrypt(text, { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') })
  } catch (error) {
    throw new UnsendablePushError(messageOf(error))
  }
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Encoding': 'aes128gcm',
    'Content-Length': String(body.length),
    TTL: String(lifeSeconds),
    Urgency: 'high',
    Authorization: authorization(vapid, endpoint),
  }
  return transport({ endpoint, headers, body })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
