import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { type Observable, observable, useObservable } from '#web/lib/observable.ts'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import { sessionState } from './session.ts'

export interface Online<T> {
  /** The first request has ended, with or without an answer. */
  ready: boolean
  /** The last answer; null before the first one. */
  value: T | null
  /** The message of the last request, if it failed. */
  error: string | null
  /** This backend does not have it, so screens leave it out. */
  missing: boolean
}

interface OwnedAnswer<T> extends Online<T> {
  owner: string
}

/** A value that this device does not store. It is requested whenever a component shows it, and dropped when the session ends. */
export interface OnlineValue<T> {
  /** Requests it again. Resolves when the answer is in `answer`. */
  reload(): Promise<void>
  /** The last answer and its owner. */
  readonly answer: Observable<OwnedAnswer<T>>
  /** The user's id, with the active brand where the value belongs to it; '' while nobody is signed in, or no such brand is open. */
  readonly currentOwner: () => string
  readonly activeBrand: ActiveBrand
}

const nothing = { ready: false, value: null, error: null, missing: false }

/** Codes for what the backend does not have: PostgREST's for a function, a column and a table, PostgreSQL's for a column. */
const notServed = new Set(['PGRST202', 'PGRST204', '42703', 'PGRST205'])

type ActiveBrand = Pick<Observable<{ brandId: string | null }>, 'get' | 'subscribe'>

const noBrandId = { brandId: null }
/** For values that belong to no brand. */
const noBrand: ActiveBrand = { get: () => noBrandId, subscribe: () => () => {} }

/** `activeBrandOf`: for a value of the active brand, so that it is dropped when another brand is chosen. */
export function onlineValue<T>(
  load: (device: Device, userId: string) => Promise<T>,
  activeBrandOf: (device: Device) => ActiveBrand = () => noBrand,
): (device: Device) => OnlineValue<T> {
  return devicePart((device) => makeValue(device, (userId) => load(device, userId), activeBrandOf(device)))
}

function makeValue<T>(device: Device, load: (userId: string) => Promise<T>, activeBrand: ActiveBrand): OnlineValue<T> {
  const answer = observable<OwnedAnswer<T>>({ owner: '', ...nothing })
  let loads = 0
  const currentOwner = () => {
    const userId = sessionState(device).get().session?.userId
    const { brandId } = activeBrand.get()
    // Between two brands (one was left, none is chosen yet) a brand's value belongs to nobody, and is not requested.
    if (!userId || (activeBrand !== noBrand && !brandId)) return ''
    return `${userId} ${brandId ?? ''}`
  }
  const reload = async () => {
    const owner = currentOwner()
    if (!owner) return
    loads += 1
    const thisLoad = loads
    const loaded = await load(owner.split(' ')[0] ?? '').then(
      (value) => ({ value, error: null, missing: false }),
      (error: unknown) => {
        const missing = error instanceof RpcError && notServed.has(error.code ?? '')
        const value = answer.get().owner === owner ? answer.get().value : null
        return { value, error: missing ? null : messageOf(error), missing }
      },
    )
    if (thisLoad === loads && owner === currentOwner()) answer.set({ owner, ready: true, ...loaded })
  }
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) answer.set({ owner: '', ...nothing })
  })
  return { reload, answer, currentOwner, activeBrand }
}

/** The value for the signed-in user. Requests it whenever a component that shows it is mounted. */
export function useOnlineValue<T>(valueOf: (device: Device) => OnlineValue<T>): Online<T> {
  const value = valueOf(useDevice())
  const owner = useOwner(value)
  const state = useObservable(value.answer)
  useEffect(() => {
    if (owner) void value.reload()
  }, [owner, value])
  return state.owner === owner ? state : nothing
}

/** Whether the signed-in user has an answer. Sends no request. */
export function useHasOnlineValue<T>(valueOf: (device: Device) => OnlineValue<T>): boolean {
  const value = valueOf(useDevice())
  const owner = useOwner(value)
  const state = useObservable(value.answer)
  return state.owner === owner && state.ready
}

function useOwner<T>({ activeBrand, currentOwner }: OnlineValue<T>): string {
  useObservable(sessionState(useDevice()))
  useObservable(activeBrand)
  return currentOwner()
}

function messageOf(error: unknown): string {
  if (error instanceof RpcError && error.status === 0) return noAnswerMessage
  return error instanceof Error ? error.message : String(error)
}
