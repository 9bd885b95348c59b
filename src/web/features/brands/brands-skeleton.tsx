import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'

/** Placeholders for two cards while the brands are loading. */
export function BrandsSkeleton() {
  const phase = useSkeleton(false)
  return (
    <div role="status" aria-label="Loading brands" className="grid h-34 w-full max-w-190 gap-4 sm:grid-cols-2">
      {phase === 'skeleton' &&
        [0, 1].map((card) => (
          <div key={card} className="flex flex-col gap-5 rounded-dialog bg-surface p-5 shadow-card">
            <div className="flex items-center gap-3.5">
              <Skeleton className="size-11" />
              <div className="flex flex-col gap-2">
                <Skeleton className="h-4 w-32" />
                <Skeleton className="h-3 w-16" />
              </div>
            </div>
            <Skeleton className="h-9" />
          </div>
        ))}
    </div>
  )
}
