/** A source of a view. `revision` returns another value after each change. */
export interface Source {
  revision: () => unknown
  subscribe: (listener: (urgent: boolean) => void) => () => void
}

/** A value computed from sources, for React's `useSyncExternalStore`: it stays the same object until a source changes. */
export interface View<T> {
  read: () => T
  subscribe: (listener: () => void) => () => void
}

/** Changes that are not urgent (a pull in slices) are shown together, at most this often. */
const slowIntervalMs = 80
/**
 * After `quietMs` without notifications, the first change (a colleague's move) is shown after this time, with the changes that arrive with
 * it.
 */
const firstDelayMs = 10
const quietMs = 400

/**
 * Creates a view. It computes its value when it is read after a change. It notifies of urgent changes at once, of others at most every
 * `slowIntervalMs`.
 */
export function view<T>(sources: readonly Source[], compute: (previous: T | undefined) => T): View<T> {
  let revisions: unknown[] | null = null
  let value: T | undefined
  const read = (): T => {
    const present = sources.map((source) => source.revision())
    if (revisions?.every((revision, index) => Object.is(revision, present[index]))) return value as T
    revisions = present
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

/** An observable as a source. Its changes are urgent. */
export function sourceOf(value: { get: () => unknown; subscribe: (listener: () => void) => () => void }): Source {
  return { revision: value.get, subscribe: (listener) => value.subscribe(() => listener(true)) }
}

/** A source that fires every minute, for views that depend only on the time. */
export const everyMinute: Source = {
  revision: () => Math.floor(Date.now() / 60_000),
  subscribe: (listener) => {
    const timer = setInterval(() => listener(true), 60_000)
    return () => clearInterval(timer)
  },
}

/** A view that is created again when a key changes (the stages of the brand). `changes` notify that the key may have changed. */
export function switchedView<T>(
  changes: readonly Pick<Source, 'subscribe'>[],
  keyOf: () => string,
  make: () => View<T>,
): View<T> {
  let key: string | null = null
  let current: View<T> | undefined
  const view = (): View<T> => {
    const next = keyOf()
    if (!current || next !== key) current = make()
    key = next
    return current
  }
  return {
    read: () => view().read(),
    subscribe: (listener) => {
      let subscribed = view()
      let stop = subscribed.subscribe(listener)
      const resubscribe = () => {
        if (view() === subscribed) return
        stop()
        subscribed = view()
        stop = subscribed.subscribe(listener)
        listener()
      }
      const stops = changes.map((source) => source.subscribe(resubscribe))
      return () => {
        stop()
        for (const each of stops) each()
      }
    },
  }
}

/** Returns a view as a source of another view. */
export function viewSource(of: View<unknown>): Source {
  return sourceOf({ get: of.read, subscribe: of.subscribe })
}
