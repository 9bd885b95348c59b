import { formatCount } from '#web/lib/count.ts'
import { AlertIcon } from '#web/ui/icons.tsx'
import type { UnreadableValues } from './first-file-rows.ts'
import { unreadableSentences } from './row-problems.ts'

/** The values of the file that would be left out: their number, and the first of them, each with the reason. */
export function NotReadable({ values }: { values: UnreadableValues }) {
  const sentences = unreadableSentences(values)
  if (sentences === null) return null
  return (
    <div className="text-sm">
      <p className="num text-ink2">{sentences}</p>
      <ul aria-label="Not readable" className="mt-1.5 flex flex-col gap-1">
        {values.first.map(({ row, fieldId, label, text, reason }) => (
          <li key={`${row} ${fieldId}`} className="flex gap-2 wrap-anywhere">
            <span className="flex h-lh shrink-0 items-center text-danger">
              <AlertIcon className="size-3.5" />
            </span>
            <span className="min-w-0">
              <span className="num text-ink2">Row {formatCount(row)}, </span>
              {label} “{text}”<span className="text-ink2">: {reason}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
