import { cx } from '#web/lib/class-names.ts'
import type { Choice } from '#web/lib/choice.ts'
import { ChevronRightIcon } from '#web/ui/icons.tsx'
import type { RecordKind } from './record-kinds.tsx'
import { RecordLink } from './record-link.tsx'

/** The arrow after a linked record. It opens the record's panel. */
export function OpenRecordLink({ kind, record, className }: { kind: RecordKind; record: Choice; className?: string }) {
  return (
    <RecordLink
      table={kind}
      id={record.id}
      aria-label={`Open ${record.label}`}
      title={`Open ${record.label}`}
      className={cx(
        '-mr-2 grid size-8 shrink-0 place-items-center rounded-control text-ink3 hover:bg-hover hover:text-ink max-sm:size-11',
        className,
      )}
    >
      <ChevronRightIcon />
    </RecordLink>
  )
}
