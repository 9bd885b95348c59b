import { observable, useObservable } from '#web/lib/observable.ts'

const isNewer = observable(false)

/** What this browser holds was written by a newer version of the app than this page: it cannot be read here. */
export function noteNewerCopy(): void {
  isNewer.set(true)
}

/** Whether it is so: the page says so and asks for a reload. */
export function useNewerCopy(): boolean {
  return useObservable(isNewer)
}

/** The same for who cannot render. */
export function hasNewerCopy(): boolean {
  return isNewer.get()
}
