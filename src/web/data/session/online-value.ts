import { useEffect } from 'react'
import { type Observable, observable, useObservable } from '#web/lib/observable.ts'
import { noAnswer } from '#web/data/server/ask-server.ts'
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
  use(): Online<T>
  /** Whether somebody who looks has an answer; asks for none. */
  useReady(): boolean
  /** Asks again; resolves when the answer is shown. */
  reload(): Promise<void>
}

const nothing = { ready: false, value: null, error: null, missing: false }

/** PostgREST's codes for a function and a column, PostgreSQL's for a column and a table, that are not there. */
const notServed = new Set(['PGRST202', 'PGRST204', '42703', 'PGRST205'])

type ActiveBrand = Pick<Observable<{ brandId: string | null }>, 'get' | 'subscribe'>

const noBrand: ActiveBrand = observable({ brandId: null })

/** `activeBrand`: given when the answer is about the active brand, so that it goes when another one is chosen. */
export function onlineValue<T>(
  load: (userId: string) => Promise<T>,
  activeBrand: ActiveBrand = noBrand,
): OnlineValue<T> {
  const held = observable<Held<T>>({ owner: '', ...nothing })
  let loads = 0
  const ownerNow = () => {
    const userId = sessionState.get().session?.userId
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
  sessionState.subscribe(() => {
    if (!sessionState.get().session) held.set({ owner: '', ...nothing })
  })
  return {
    reload,
    useReady() {
      const owner = useOwner(activeBrand, ownerNow)
      const state = useObservable(held)
      return state.owner === owner && state.ready
    },
    use() {
      const owner = useOwner(activeBrand, ownerNow)
      const state = useObservable(held)
      useEffect(() => {
        if (owner) void reload()
      }, [owner])
      return state.owner === owner ? state : nothing
    },
  }
}

function useOwner(activeBrand: ActiveBrand, ownerNow: () => string): string {
  useObservable(sessionState)
  useObservable(activeBrand)
  return ownerNow()
}

function wordsOf(error: unknown): string {
  if (error instanceof RpcError && error.status === 0) return noAnswer
  return error instanceof Error ? error.message : String(error)
}
