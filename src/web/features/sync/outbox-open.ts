import { observable, useObservable } from '#web/lib/observable.ts'

const isOpen = observable(false)

/** Opens or closes the outbox, from the badge in the header or from a toast. */
export function setOutboxOpen(open: boolean): void {
  isOpen.set(open)
}

/** Whether the outbox is open. */
export function useOutboxOpen(): boolean {
  return useObservable(isOpen)
}
