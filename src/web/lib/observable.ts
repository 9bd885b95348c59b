import { useSyncExternalStore } from 'react'

/** A value to which components can subscribe. If `set` gets the value that it already has, nobody is notified. */
export interface Observable<T> {
  get: () => T
  set: (next: T) => void
  subscribe: (listener: () => void) => () => void
}

/** Creates an observable value in the memory of this tab. */
export function observable<T>(initial: T): Observable<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of Array.from(listeners)) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Returns the current value of an observable to a component. The component renders again when the value changes. */
export function useObservable<T>(value: Pick<Observable<T>, 'get' | 'subscribe'>): T {
  return useSyncExternalStore(value.subscribe, value.get, value.get)
}
