import { useEffect, useState } from 'react'

/** The time, anew with each minute of the clock, and when the page is looked at again: what was due becomes overdue while one looks. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const tick = () => {
      clearTimeout(timer)
      setNow(new Date())
      timer = setTimeout(tick, 60_000 - (Date.now() % 60_000))
    }
    const look = () => {
      if (document.visibilityState === 'visible') tick()
    }
    timer = setTimeout(tick, 60_000 - (Date.now() % 60_000))
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return now
}
