/** Something a view is computed from: `revision` is another value after each change. */
export interface Source {
  revision: () => unknown
  subscribe: (listener: (urgent: boolean) => void) => () => void
}

/** A value computed from sources, as React's `useSyncExternalStore` wants it: the same object until a source changed. */
export interface View<T> {
  read: () => T
  subscribe: (listener: () => void) => () => void
}

/** Changes that nobody waits for (a pull in slices) are shown together, at most this often. Milliseconds. */
const calmInterval = 80
/** After a rest of `restful` the first of them is shown as soon as what came with it is there: a colleague's move. Milliseconds. */
const atOnce = 10
const restful = 400

/** Computes the value when it is read after a change. Notifies listeners of urgent changes at once, of others at most every `calmInterval`. */
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
        const rested = performance.now() - notifiedAt > restful
        timer ??= setTimeout(() => notify(true), rested ? atOnce : calmInterval)
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

/** Time itself, for what it alone changes. */
export const everyMinute: Source = {
  revision: () => Math.floor(Date.now() / 60_000),
  subscribe: (listener) => {
    const timer = setInterval(() => listener(true), 60_000)
    return () => clearInterval(timer)
  },
}

/** A view whose making depends on a key that changes now and then (the stages of the brand): it is made anew with each key. */
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
      let followed = view()
      let stop = followed.subscribe(listener)
      const follow = () => {
        if (view() === followed) return
        stop()
        followed = view()
        stop = followed.subscribe(listener)
        listener()
      }
      const stops = changes.map((source) => source.subscribe(follow))
      return () => {
        stop()
        for (const each of stops) each()
      }
    },
  }
}

/** A view as a source of another one. */
export function viewSource(of: View<unknown>): Source {
  return sourceOf({ get: of.read, subscribe: of.subscribe })
}
