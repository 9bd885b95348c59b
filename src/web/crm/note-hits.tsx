import type { ReactNode } from 'react'
import { type NoteHit, useNoteHits } from '#web/data/note-search.ts'
import type { NoteQuery } from '#web/data/note-search-source.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { cx } from '#web/lib/class-names.ts'
import { countOf } from '#web/lib/count.ts'
import { formatDay, formatMoment } from '#web/lib/dates.ts'
import { moveBetweenRows } from '#web/lib/row-keys.ts'
import { CloudOffIcon, NotesIcon } from '#web/ui/icons.tsx'
import { useSkeleton } from '#web/ui/skeleton.tsx'
import { excerptAroundMatch } from './excerpt-around-match.ts'
import { RecordLink } from './record-link.tsx'

export interface NoteHitsProps extends NoteQuery {
  /** The id of the record whose panel is open. */
  currentId: string | null
  /** Set if the list above has no rows. Renders the message if no note matches either. Until that is known, `loading` is shown. */
  empty?: RenderNoMatch
  loading?: ReactNode
  /** Only for the board. Renders the message over the board if neither a deal nor a note matches. False if the board has deals. */
  overlay?: RenderNoMatch | false
}

/** Renders the message that nothing matches. `isLocalOnly`: only the notes of this device were searched. */
export type RenderNoMatch = (isLocalOnly: boolean) => ReactNode

/** Shown below a list with a search: the records with a matching note, each with an excerpt. If no note matches: `empty`, `overlay` or nothing. */
export default function NoteHits({ currentId, empty, loading, overlay, ...query }: NoteHitsProps) {
  const { ready, hits, hasMore, more, hasFailed } = useNoteHits(query)
  const phase = useSkeleton(ready)
  if (hits.length === 0) {
    const renderNoMatch = empty ?? overlay
    return phase === 'content' ? renderNoMatch && renderNoMatch(hasFailed) : phase === 'skeleton' && loading
  }
  const { one, many } = rowWordsOf(query.table)
  const countText = countOf(hits.length, one, many, hasMore)
  return (
    <section
      aria-label="In notes"
      className={cx(
        'flex min-h-0 flex-col',
        empty === undefined ? 'max-h-2/5 shrink-0 border-t border-line' : 'flex-1',
      )}
    >
      <div className="flex shrink-0 items-center gap-2 px-6 pt-3 pb-1.5 text-sm max-sm:px-4">
        <NotesIcon className="text-ink3" />
        <h2 className="text-sm">In notes</h2>
        {/* A live region only on the board: a list page already has one, the count above its list, which includes this number. */}
        <p role={overlay === undefined ? undefined : 'status'} className="num text-ink3">
          {countText}
        </p>
        {hasFailed && (
          <p className="ml-auto flex items-center gap-1.5 text-warn">
            <CloudOffIcon />
            Only notes on this device
          </p>
        )}
      </div>
      <ul
        key={query.search}
        onKeyDown={moveBetweenRows}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          if (hasMore && scrollTop + clientHeight > scrollHeight - 200) more()
        }}
        className="min-h-0 flex-1 overflow-y-auto px-3 pb-3 max-sm:px-1"
      >
        {hits.map((hit) => (
          <Hit key={hit.recordId} hit={hit} query={query} current={hit.recordId === currentId} />
        ))}
        {hasMore && (
          <li className="px-3 py-1">
            <button type="button" onClick={more} className="rounded-control px-1 text-sm text-ink2 hover:text-ink">
              Show more
            </button>
          </li>
        )}
      </ul>
    </section>
  )
}

function Hit({ hit, query, current }: { hit: NoteHit; query: NoteQuery; current: boolean }) {
  const { recordId, name, note } = hit
  return (
    <li
      data-row=""
      className={cx(
        'relative grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 rounded-control px-3 py-2 text-sm hover:bg-hover',
        'sm:min-h-9 sm:grid-cols-[minmax(0,12rem)_minmax(0,1fr)_auto] sm:py-1.5',
        current && 'bg-active',
      )}
    >
      <RecordLink
        table={query.table}
        id={recordId}
        hash={`#note-${note.id}`}
        focusId={`note-hit-${recordId}`}
        data-row-focus=""
        aria-current={current || undefined}
        className="truncate font-medium after:absolute after:inset-0 after:rounded-control"
      >
        {name}
      </RecordLink>
      <p data-searched="" className="text-ink2 max-sm:order-1 max-sm:col-span-2 max-sm:line-clamp-2 sm:truncate">
        {excerptAroundMatch(note.body, query.search)}
      </p>
      <time dateTime={note.occurred_at} title={formatMoment(note.occurred_at)} className="num shrink-0 text-ink3">
        {formatDay(note.occurred_at)}
      </time>
    </li>
  )
}
