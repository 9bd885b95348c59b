import { useOnlineValue } from '#web/data/session/online-value.ts'
import { type PastImport, pastImports } from '#web/data/imports.ts'
import { usePeople } from '#web/data/people/people.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Card } from '#web/ui/card.tsx'
import { FileIcon } from '#web/ui/icons.tsx'
import { pastImportCounts } from './past-import-words.ts'
import { UndoImportButton } from './undo-import-button.tsx'
import { useScrollToImport } from './use-scroll-to-import.ts'

/**
 * The latest imports of the brand, with 'Undo import' on each that can be undone; or why they could not be loaded. Renders nothing if there
 * are none.
 */
export function PastImports() {
  const { value, error } = useOnlineValue(pastImports)
  useScrollToImport(Boolean(value?.length))
  if (!value?.length) return error ? <p className="px-1 text-sm text-ink2">Earlier imports: {error}</p> : null
  return (
    <Card aria-label="Earlier imports" className="p-5 max-sm:p-4">
      <h2 className="text-base font-semibold">Earlier imports</h2>
      <ul className="mt-2 border-t border-line">
        {value.map((past) => (
          <Line key={past.id} past={past} />
        ))}
      </ul>
    </Card>
  )
}

function Line({ past }: { past: PastImport }) {
  const now = useNow()
  const starter = usePeople().byId(past.started_by)
  const parts = [formatMoment(past.started_at, now), starter?.isMe ? 'you' : starter?.name, pastImportCounts(past)]
  return (
    <li
      id={`import-${past.id}`}
      className="flex min-h-12 items-center gap-3.5 border-b border-line py-1.5 last:border-0 max-sm:flex-wrap"
    >
      <FileIcon className="size-5 shrink-0 text-ink3" />
      <div className="min-w-0 flex-1">
        <p title={past.file_name ?? undefined} className="truncate font-medium">
          {past.file_name ?? 'Import'}
        </p>
        <p className="num text-xs text-ink2">{parts.filter(Boolean).join(' · ')}</p>
      </div>
      {!past.undone_at && (past.created > 0 || past.holds_values) && (
        <UndoImportButton importId={past.id} fileName={past.file_name} />
      )}
    </li>
  )
}
