import { useEffect, useState } from 'react'

/**
 * Returns the current time. It is updated every minute and when the page becomes visible, so that a task becomes overdue while the page is
 * open.
 */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const tick = () => {
      clearTimeout(timer)
      setNow(new Date())
      timer = setTimeout(tick, 60_000 - (Date.now() % 60_000))
    }
    const tickIfVisible = () => {
      if (document.visibilityState === 'visible') tick()
    }
    timer = setTimeout(tick, 60_000 - (Date.now() % 60_000))
    document.addEventListener('visibilitychange', tickIfVisible)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tickIfVisible)
    }
  }, [])
  return now
}
