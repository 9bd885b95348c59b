import { useState } from 'react'
import { formatCount } from '#web/lib/count.ts'
import type { SkippedRow } from './contact-row.ts'

const initiallyShownCount = 3

/** The value of `elsewhere` for a list whose rows are all in the download of rows to correct. */
export const inDownload = ' in the download'

interface RowListProps {
  label: string
  rows: readonly SkippedRow[]
  count: number
  /** The head of the last column. */
  reason: string
  /** Words after '12 more' that say where to find the rows that are not in the list. */
  elsewhere?: string
}

/**
 * Rows of a file in the report: number, content, reason. Shows a few at first, and all of `rows` after a press. `count`: the total number,
 * which may be higher.
 */
export function RowList({ label, rows, count, reason: head, elsewhere = '' }: RowListProps) {
  const [areAllShown, setAreAllShown] = useState(false)
  const shownRows = areAllShown ? rows : rows.slice(0, initiallyShownCount)
  const moreCount = count - shownRows.length
  return (
    // A scrolling area must be reachable by keyboard
    <div
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-80 overflow-y-auto rounded-control ring-1 ring-line ring-inset"
    >
      <table className="w-full table-fixed text-left text-sm">
        <thead className="text-xs text-ink3">
          <tr className="border-b border-line">
            <th className="w-20 px-3 py-2 font-medium max-sm:w-16">Row</th>
            <th className="px-3 py-2 font-medium">Content</th>
            <th className="w-2/5 px-3 py-2 font-medium">{head}</th>
          </tr>
        </thead>
        <tbody>
          {shownRows.map(({ row, content, reason }) => (
            <tr key={row} className="border-b border-line last:border-0">
              <td className="num px-3 py-2 text-ink2">{formatCount(row)}</td>
              <td title={content} className="truncate px-3 py-2">
                {content}
              </td>
              <td className="px-3 py-2">{reason}</td>
            </tr>
          ))}
          {moreCount > 0 && (
            <tr>
              <td className="px-3 py-2 text-ink3">…</td>
              <td colSpan={2} className="px-3 py-2 text-ink2">
                {areAllShown || rows.length <= initiallyShownCount ? (
                  <span className="num">
                    {formatCount(moreCount)} more{elsewhere}
                  </span>
                ) : (
                  <button
                    type="button"
                    className="num rounded-badge hover:text-ink hover:underline"
                    onClick={() => setAreAllShown(true)}
                  >
                    {formatCount(moreCount)} more
                  </button>
                )}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}
