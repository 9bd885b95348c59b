import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { type Observable, observable, useObservable } from '#web/lib/observable.ts'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import { sessionState } from './session.ts'

export interface Online<T> {
  /** The server has answered, or has failed to. */
  ready: boolean
  /** The last answer; null before the first one. */
  value: T | null
  /** Why there is no newer answer: the server's message. */
  error: string | null
  /** This backend does not serve it at all: what shows it is left out. */
  missing: boolean
}

interface Held<T> extends Online<T> {
  owner: string
}

/** Something that only the server knows and this device does not keep: asked for each time somebody looks, and gone with the session. */
export interface OnlineValue<T> {
  /** Asks again; resolves when the answer is shown. */
  reload(): Promise<void>
  /** The last answer, and whose it is. */
  readonly held: Observable<Held<T>>
  /** The person, and the active brand where the answer is about it; '' while nobody is signed in. */
  readonly ownerNow: () => string
  readonly activeBrand: ActiveBrand
}

const nothing = { ready: false, value: null, error: null, missing: false }

/** PostgREST's codes for a function and a column, PostgreSQL's for a column and a table, that are not there. */
const notServed = new Set(['PGRST202', 'PGRST204', '42703', 'PGRST205'])

type ActiveBrand = Pick<Observable<{ brandId: string | null }>, 'get' | 'subscribe'>

const nobodysBrand = { brandId: null }
/** For what is not about a brand. */
const noBrand: ActiveBrand = { get: () => nobodysBrand, subscribe: () => () => {} }

/** `activeBrandOf`: given when the answer is about the active brand, so that it goes when another one is chosen. */
export function onlineValue<T>(
  load: (device: Device, userId: string) => Promise<T>,
  activeBrandOf: (device: Device) => ActiveBrand = () => noBrand,
): (device: Device) => OnlineValue<T> {
  return devicePart((device) => makeValue(device, (userId) => load(device, userId), activeBrandOf(device)))
}

function makeValue<T>(device: Device, load: (userId: string) => Promise<T>, activeBrand: ActiveBrand): OnlineValue<T> {
  const held = observable<Held<T>>({ owner: '', ...nothing })
  let loads = 0
  const ownerNow = () => {
    const userId = sessionState(device).get().session?.userId
    if (!userId) return ''
    return `${userId} ${activeBrand.get().brandId ?? ''}`
  }
  const reload = async () => {
    const owner = ownerNow()
    if (!owner) return
    loads += 1
    const mine = loads
    const answer = await load(owner.split(' ')[0] ?? '').then(
      (value) => ({ value, error: null, missing: false }),
      (error: unknown) => {
        const missing = error instanceof RpcError && notServed.has(error.code ?? '')
        const value = held.get().owner === owner ? held.get().value : null
        return { value, error: missing ? null : wordsOf(error), missing }
      },
    )
    if (mine === loads && owner === ownerNow()) held.set({ owner, ready: true, ...answer })
  }
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) held.set({ owner: '', ...nothing })
  })
  return { reload, held, ownerNow, activeBrand }
}

/** The answer for the person who looks; it is asked for anew with each look. */
export function useOnlineValue<T>(valueOf: (device: Device) => OnlineValue<T>): Online<T> {
  const value = valueOf(useDevice())
  const owner = useOwner(value)
  const state = useObservable(value.held)
  useEffect(() => {
    if (owner) void value.reload()
  }, [owner, value])
  return state.owner === owner ? state : nothing
}

/** Whether somebody who looks has an answer; asks for none. */
export function useHasOnlineValue<T>(valueOf: (device: Device) => OnlineValue<T>): boolean {
  const value = valueOf(useDevice())
  const owner = useOwner(value)
  const state = useObservable(value.held)
  return state.owner === owner && state.ready
}

function useOwner<T>({ activeBrand, ownerNow }: OnlineValue<T>): string {
  useObservable(sessionState(useDevice()))
  useObservable(activeBrand)
  return ownerNow()
}

function wordsOf(error: unknown): string {
  if (error instanceof RpcError && error.status === 0) return noAnswerMessage
  return error instanceof Error ? error.message : String(error)
}
