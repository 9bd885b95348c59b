import { type Device, devicePart, useDevice } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { type Observable, observable, useObservable } from '#web/lib/observable.ts'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { RpcError } from '#web/data/server/rpc.ts'
import { sessionState } from './session.ts'

/** An online value, as components get it. */
export interface OnlineState<T> {
  /** True after the first request has ended, with or without an answer. */
  ready: boolean
  /** The last answer. Null before the first one. */
  value: T | null
  /** The error message of the last request. Null if it succeeded, or if the value is `missing`. */
  error: string | null
  /** True if this backend does not have the value. Screens then leave it out. */
  missing: boolean
}

interface OwnedAnswer<T> extends OnlineState<T> {
  owner: string
}

/** A value that this device does not store. It is requested whenever a component shows it, and dropped when the session ends. */
export interface OnlineValue<T> {
  /** Requests the value again. Resolves when the answer is in `answer`, or at once if `currentOwner()` returns ''. */
  reload(): Promise<void>
  /** The last answer, and its owner (see `currentOwner`). */
  readonly answer: Observable<OwnedAnswer<T>>
  /**
   * Returns the user's id, a space and, if the value belongs to a brand, the id of the active brand. Returns '' while nobody is signed in or,
   * for a value of a brand, while no brand is active.
   */
  readonly currentOwner: () => string
  readonly activeBrand: ActiveBrand
}

const emptyState = { ready: false, value: null, error: null, missing: false }

/**
 * Error codes for a missing function (PGRST202), a missing column (PGRST204 by PostgREST, 42703 by PostgreSQL) and a missing table
 * (PGRST205).
 */
const missingCodes = new Set(['PGRST202', 'PGRST204', '42703', 'PGRST205'])

type ActiveBrand = Pick<Observable<{ brandId: string | null }>, 'get' | 'subscribe'>

const noBrandId = { brandId: null }
/** Stands for the active brand in values that do not belong to a brand. */
const noBrand: ActiveBrand = { get: () => noBrandId, subscribe: () => () => {} }

/** Creates an online value. `activeBrandOf`: for a value of the active brand, so that it is dropped when another brand is chosen. */
export function onlineValue<T>(
  load: (device: Device, userId: string) => Promise<T>,
  activeBrandOf: (device: Device) => ActiveBrand = () => noBrand,
): (device: Device) => OnlineValue<T> {
  return devicePart((device) => makeValue(device, (userId) => load(device, userId), activeBrandOf(device)))
}

function makeValue<T>(device: Device, load: (userId: string) => Promise<T>, activeBrand: ActiveBrand): OnlineValue<T> {
  const answer = observable<OwnedAnswer<T>>({ owner: '', ...emptyState })
  let loadCount = 0
  const currentOwner = () => {
    const userId = sessionState(device).get().session?.userId
    const { brandId } = activeBrand.get()
    // While no brand is chosen (between two brands), a brand's value is not requested.
    if (!userId || (activeBrand !== noBrand && !brandId)) return ''
    return `${userId} ${brandId ?? ''}`
  }
  const reload = async () => {
    const owner = currentOwner()
    if (!owner) return
    loadCount += 1
    const thisLoad = loadCount
    const loadedState = await load(owner.split(' ')[0] ?? '').then(
      (value) => ({ value, error: null, missing: false }),
      (error: unknown) => {
        const missing = error instanceof RpcError && missingCodes.has(error.code ?? '')
        const value = answer.get().owner === owner ? answer.get().value : null
        return { value, error: missing ? null : messageOf(error), missing }
      },
    )
    if (thisLoad === loadCount && owner === currentOwner()) answer.set({ owner, ready: true, ...loadedState })
  }
  sessionState(device).subscribe(() => {
    if (!sessionState(device).get().session) answer.set({ owner: '', ...emptyState })
  })
  return { reload, answer, currentOwner, activeBrand }
}

/** Returns the value for the signed-in user (and the active brand). Requests it when the component is mounted, and when the user or brand changes. */
export function useOnlineValue<T>(valueOf: (device: Device) => OnlineValue<T>): OnlineState<T> {
  const value = valueOf(useDevice())
  const owner = useOwner(value)
  const state = useObservable(value.answer)
  useEffect(() => {
    if (owner) void value.reload()
  }, [owner, value])
  return state.owner === owner ? state : emptyState
}

/** Whether a request of the value for the signed-in user (and the active brand) has ended, with or without an answer. Sends no request. */
export function useIsOnlineValueReady<T>(valueOf: (device: Device) => OnlineValue<T>): boolean {
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
