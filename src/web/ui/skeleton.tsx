import { useEffect, useState } from 'react'
import { cx } from '#web/lib/class-names.ts'

/** Time after which a skeleton is shown (ms). */
const delayMs = 150
/** Minimum time for which a skeleton is shown (ms). */
const minShownMs = 300

/** A grey bar in place of loading content. `className` gives it the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cx('block rounded-badge bg-skel', className)} />
}

export type SkeletonPhase = 'wait' | 'skeleton' | 'content'

/**
 * Phases of loading: 'wait' (show nothing, keep the space) for the first 150 ms, then 'skeleton' for at least 300 ms, then 'content'.
 * Content that is ready at once is shown at once. Content that is no longer ready begins with 'wait' again.
 */
export function useSkeleton(ready: boolean): SkeletonPhase {
  const withoutSkeleton = ready ? 'content' : 'wait'
  const [phase, setPhase] = useState<SkeletonPhase>(withoutSkeleton)
  const [shownSince, setShownSince] = useState(0)
  if (phase !== 'skeleton' && phase !== withoutSkeleton) setPhase(withoutSkeleton)
  useEffect(() => {
    if (phase === 'wait') {
      const timer = setTimeout(() => {
        setShownSince(performance.now())
        setPhase('skeleton')
      }, delayMs)
      return () => clearTimeout(timer)
    }
    if (phase === 'skeleton' && ready) {
      const timer = setTimeout(() => setPhase('content'), Math.max(0, shownSince + minShownMs - performance.now()))
      return () => clearTimeout(timer)
    }
  }, [phase, ready, shownSince])
  return phase
}
