import { Suspense } from 'react'
import type { TimelineTable } from '#web/data/notes.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'

/** The timeline, whose code is loaded when a record is opened. */
const Timeline = lazyComponent(async () => (await import('#web/features/timeline/timeline.tsx')).default)

/** The timeline of a record, the last section of its panel. */
export function RecordTimeline({ table, id }: { table: TimelineTable; id: string }) {
  return (
    <Suspense>
      <Timeline table={table} id={id} />
    </Suspense>
  )
}
