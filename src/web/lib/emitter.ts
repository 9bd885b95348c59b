/** An event to which functions can subscribe. */
export interface Emitter<T> {
  emit: (value: T) => void
  /** Calls the listener at each event. Returns the function that unsubscribes. */
  subscribe: (listener: (value: T) => void) => () => void
}

/** Creates an event that has no subscribers yet. */
export function emitter<T = void>(): Emitter<T> {
  const listeners = new Set<(value: T) => void>()
  return {
    emit: (value) => {
      for (const listener of Array.from(listeners)) listener(value)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
