import { stageToneClass } from '#web/crm/stage-tone.ts'
import { cx } from '#web/lib/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** A placeholder of the same size for a card whose row is not on this device yet. */
export function CardSkeleton() {
  return (
    <div className="flex h-22 flex-col justify-between rounded-card bg-surface px-3 py-3 shadow-card max-sm:h-26">
      <div className="flex justify-between">
        <Skeleton className="h-3 w-36" />
        <Skeleton className="h-3 w-12" />
      </div>
      <Skeleton className="h-3 w-24" />
      <div className="flex items-center gap-2">
        <Skeleton className="size-5 rounded-full" />
        <Skeleton className="h-3 w-24" />
        <Skeleton className="ml-auto h-3 w-11" />
      </div>
    </div>
  )
}

/** The placeholder of the board while the local database is read: the six stages of a new brand, with cards of the usual size. */
export function BoardSkeleton() {
  return (
    <div className="flex h-full gap-3 overflow-hidden" aria-hidden="true">
      {['Incoming', 'Qualified', 'Proposal', 'Verbal Yes', 'Won', 'Lost'].map((name, index) => (
        <div
          key={name}
          className={cx(
            stageToneClass({ name }),
            'flex w-80 shrink-0 flex-col gap-2 rounded-column bg-sunken p-2 max-sm:w-[calc(100vw-3rem)] max-sm:rounded-b-none',
            // Won and Lost are folded in a window that is too narrow for six columns, as on the board.
            index > 3 && 'overflow-hidden sm:max-[139.75rem]:w-11 sm:max-[139.75rem]:*:invisible',
          )}
        >
          <div className="flex h-9 items-center gap-2 px-1.5">
            <span className="size-2 rounded-full bg-tone-dot" />
            <span className="font-semibold text-sm text-tone">{name}</span>
            <Skeleton className="h-5 w-6 rounded-badge" />
            <Skeleton className="ml-auto h-3 w-20" />
          </div>
          {[0, 1, 2].slice(index % 3 === 2 ? 1 : 0).map((card) => (
            <CardSkeleton key={card} />
          ))}
        </div>
      ))}
    </div>
  )
}
