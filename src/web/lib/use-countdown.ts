import { useEffect, useState } from 'react'

/** Returns how many seconds are left until a moment (ms since the epoch), and 0 after it. Until then, the component renders again each second. */
export function useCountdown(until: number): number {
  const [now, setNow] = useState(() => Date.now())
  const secondsLeft = Math.max(0, Math.ceil((until - now) / 1000))
  useEffect(() => {
    if (secondsLeft === 0) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [secondsLeft])
  return secondsLeft
}

/** Formats seconds as minutes and seconds: 42 becomes '0:42'. */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
