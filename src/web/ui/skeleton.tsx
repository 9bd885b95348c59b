import { useEffect, useState } from 'react'
import { cx } from '#web/lib/class-names.ts'

const AFTER_MS = 150
const AT_LEAST_MS = 300

/** A grey bar in the place of what comes; give it the size of that. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('block rounded-badge bg-skel', className)} />
}

/**
 * 'wait' (show nothing, keep the space) for the first 150 ms, then 'skeleton' for at least 300 ms, then 'content'.
 * What is ready at once goes straight to 'content'.
 */
export function useSkeleton(ready: boolean): 'wait' | 'skeleton' | 'content' {
  const [phase, setPhase] = useState<'wait' | 'skeleton' | 'content'>(ready ? 'content' : 'wait')
  const [since, setSince] = useState(0)
  if (ready && phase === 'wait') setPhase('content')
  useEffect(() => {
    if (phase === 'wait') {
      const timer = setTimeout(() => {
        setSince(performance.now())
        setPhase('skeleton')
      }, AFTER_MS)
      return () => clearTimeout(timer)
    }
    if (phase === 'skeleton' && ready) {
      const timer = setTimeout(() => setPhase('content'), Math.max(0, since + AT_LEAST_MS - performance.now()))
      return () => clearTimeout(timer)
    }
  }, [phase, ready, since])
  return ready && phase === 'wait' ? 'content' : phase
}
