/**
 * A source whose changes a view follows. `changeId` returns another value after each change. The listener gets `urgent`: true if views must notify
 * their subscribers of the change at once, false if they may wait and notify of several changes together.
 */
export interface Source {
  changeId: () => unknown
  subscribe: (listener: (urgent: boolean) => void) => () => void
}

/** A value that is computed from sources, for React's `useSyncExternalStore`. It stays the same object until a source changes. */
export interface View<T> {
  read: () => T
  subscribe: (listener: () => void) => () => void
}

/** Changes that are not urgent, such as the slices of rows that a pull stores, are gathered for this time (ms) and shown together. */
const slowIntervalMs = 80
/**
 * If there was no notification for `quietMs`, the next change (such as a colleague's move) is shown after this time (ms), together with the
 * changes that arrive until then.
 */
const firstDelayMs = 10
const quietMs = 400

/**
 * Creates a view. It computes its value only when it is read after a change. It notifies its subscribers of urgent changes at once, and of
 * other changes at most once in `slowIntervalMs`.
 */
export function view<T>(sources: readonly Source[], compute: (previous: T | undefined) => T): View<T> {
  let changeIds: unknown[] | null = null
  let value: T | undefined
  const read = (): T => {
    const currentChangeIds = sources.map((source) => source.changeId())
    if (changeIds?.every((changeId, index) => Object.is(changeId, currentChangeIds[index]))) return value as T
    changeIds = currentChangeIds
    value = compute(value)
    return value
  }
  const subscribe = (listener: () => void): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let notifiedAt = performance.now()
    const notify = (urgent: boolean): void => {
      if (urgent) {
        clearTimeout(timer)
        timer = undefined
        notifiedAt = performance.now()
        listener()
      } else {
        const wasQuiet = performance.now() - notifiedAt > quietMs
        timer ??= setTimeout(() => notify(true), wasQuiet ? firstDelayMs : slowIntervalMs)
      }
    }
    const stops = sources.map((source) => source.subscribe(notify))
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }
  return { read, subscribe }
}

/** Makes a source for views from an observable. Each change of the observable is urgent: views notify their subscribers of it at once. */
export function sourceOfObservable(value: {
  get: () => unknown
  subscribe: (listener: () => void) => () => void
}): Source {
  return { changeId: value.get, subscribe: (listener) => value.subscribe(() => listener(true)) }
}

/** A source that changes every minute, for views whose value changes as time passes. */
export const minuteSource: Source = {
  changeId: () => Math.floor(Date.now() / 60_000),
  subscribe: (listener) => {
    const timer = setInterval(() => listener(true), 60_000)
    return () => clearInterval(timer)
  },
}

/**
 * Creates a view with the value of another view, which `make` creates. It calls `make` again when `keyOf` returns another key, for example
 * because the brand has a new stage. `keySources` are the sources whose changes may change the key.
 */
export function switchedView<T>(
  keySources: readonly Pick<Source, 'subscribe'>[],
  keyOf: () => string,
  make: () => View<T>,
): View<T> {
  let key: string | null = null
  let current: View<T> | undefined
  const currentView = (): View<T> => {
    const next = keyOf()
    if (!current || next !== key) current = make()
    key = next
    return current
  }
  return {
    read: () => currentView().read(),
    subscribe: (listener) => {
      let subscribed = currentView()
      let stop = subscribed.subscribe(listener)
      const resubscribe = () => {
        if (currentView() === subscribed) return
        stop()
        subscribed = currentView()
        stop = subscribed.subscribe(listener)
        listener()
      }
      const stops = keySources.map((source) => source.subscribe(resubscribe))
      return () => {
        stop()
        for (const stopEach of stops) stopEach()
      }
    },
  }
}

/** Makes a source from a view, so that another view can be computed from it. */
export function sourceOfView(input: View<unknown>): Source {
  return sourceOfObservable({ get: input.read, subscribe: input.subscribe })
}
