import { lazy, Suspense } from 'react'
import type { TimelineTable } from '#web/data/notes.ts'

/** Fetched when a record is opened. */
const Timeline = lazy(() => import('#web/features/timeline/timeline.tsx'))

/** The timeline of a record in its panel, the last of its sections. */
export function RecordTimeline({ table, id }: { table: TimelineTable; id: string }) {
  return (
    <Suspense>
      <Timeline table={table} id={id} />
    </Suspense>
  )
}
