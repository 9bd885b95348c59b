import { formatCount } from '#web/lib/count.ts'
import { AlertIcon } from '#web/ui/icons.tsx'
import type { LeftOutCount, UnreadableValues } from './first-file-rows.ts'
import { furtherSentences, unreadableSentences } from './row-problems.ts'

/** The values of the file that would be left out: their number, and the first of them, each with the reason. */
export function UnreadableValueLists({ values }: { values: UnreadableValues }) {
  return (
    <>
      <ValueList label="Not readable" sentences={unreadableSentences(values)} values={values} />
      <ValueList label="Further values" sentences={furtherSentences(values)} values={values.further} />
    </>
  )
}

/** `sentences`: null if there are no values. */
function ValueList(props: { label: string; sentences: string | null; values: LeftOutCount }) {
  const { label, sentences, values } = props
  if (sentences === null) return null
  return (
    <div className="text-sm">
      <p className="num text-ink2">{sentences}</p>
      <ul aria-label={label} className="mt-1.5 flex flex-col gap-1">
        {values.first.map(({ row, target, label, text, reason }) => (
          <li key={`${row} ${target}`} className="flex gap-2 wrap-anywhere">
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
