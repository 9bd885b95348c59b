import type pg from 'pg'
import type { Logger } from 'pino'
import { encrypt, maxPayloadBytes } from './encrypt.ts'
import type { PushTransport } from './transport.ts'
import { authorization, type Vapid } from './vapid.ts'

export interface PushOptions {
  owner: pg.Pool
  vapid: Vapid
  transport: PushTransport
  log: Logger
  /** Time between two looks (ms); tests shorten it. */
  intervalMs?: number
}

export interface PushDelivery {
  /** Waits for requests that are on their way, at most 2 s. */
  stop: () => Promise<void>
}

interface Row {
  id: string
  endpoint: string
  p256dh: string
  auth: string
  payload: string
}

const usualIntervalMs = 3000
const maxParallel = 20
const stopTimeoutMs = 2000
/** How long a push service keeps what it cannot deliver at once. */
const lifeSeconds = 12 * 3600

/**
 * Calls the product's hook `private.on_timer()` every few seconds, and delivers the rows that `private.take_pushes` gives it: SQL says what,
 * to whom and when, and learns the status of the answer by `private.settle_push`. Does nothing where the product has no such functions.
 */
export async function startPushDelivery(options: PushOptions): Promise<PushDelivery> {
  const { owner, log, intervalMs = usualIntervalMs } = options
  const { rows } = await owner.query<{ found: string | null }>(
    `select to_regprocedure('private.take_pushes(integer)') as found`,
  )
  if (!rows[0]?.found) return { stop: async () => {} }
  let working: Promise<void> | undefined
  const stopping = new AbortController()
  const timer = setInterval(() => {
    working ??= work().finally(() => {
      working = undefined
    })
  }, intervalMs)
  timer.unref()

  async function work(): Promise<void> {
    try {
      await owner.query('select private.on_timer()')
      while (!stopping.signal.aborted) {
        const { rows: pushes } = await owner.query<Row>({
          name: 'push-take',
          text: 'select id, endpoint, p256dh, auth, payload from private.take_pushes($1)',
          values: [maxParallel],
        })
        await Promise.all(pushes.map((push) => deliver(options, push)))
        if (pushes.length < maxParallel) return
      }
    } catch (error) {
      log.debug({ err: error }, 'pushes could not be read')
    }
  }

  return {
    stop: async () => {
      stopping.abort()
      clearInterval(timer)
      await Promise.race([working, new Promise<void>((resolve) => setTimeout(resolve, stopTimeoutMs).unref())])
    },
  }
}

async function deliver({ owner, vapid, transport, log }: PushOptions, push: Row): Promise<void> {
  const status = await send(vapid, transport, push).catch((error: unknown) => {
    // The endpoint is a secret of the browser: the log names its host only.
    log.warn({ push: push.id, host: new URL(push.endpoint).host, reason: messageOf(error) }, 'a push was not delivered')
    return error instanceof Unsendable ? 400 : 0
  })
  await owner.query('select private.settle_push($1, $2)', [push.id, status])
}

/** It will never be sent. */
class Unsendable extends Error {}

async function send(vapid: Vapid, transport: PushTransport, { endpoint, p256dh, auth, payload }: Row): Promise<number> {
  const text = Buffer.from(payload)
  if (text.length > maxPayloadBytes) throw new Unsendable('The payload is too long')
  let body: Buffer
  try {
    body = encrypt(text, { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') })
  } catch (error) {
    throw new Unsendable(messageOf(error))
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
