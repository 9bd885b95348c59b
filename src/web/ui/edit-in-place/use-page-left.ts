import { useEffect, useEffectEvent } from 'react'

/** The events of `window` when a page is left. Before a reload, `beforeunload` leaves the most time to store something. Not every browser has it. */
const leavingEvents = ['visibilitychange', 'beforeunload', 'pagehide']

/** Calls `onLeave` each time the page is hidden or unloaded while `isActive` is true. One reload may call it several times. */
export function usePageLeft(isActive: boolean, onLeave: () => void): void {
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    if (!isActive) return
    const leaveIfHidden = ({ type }: Event) => {
      if (type !== 'visibilitychange' || document.visibilityState === 'hidden') leave()
    }
    for (const type of leavingEvents) addEventListener(type, leaveIfHidden)
    return () => {
      for (const type of leavingEvents) removeEventListener(type, leaveIfHidden)
    }
  }, [isActive])
}
