import { type ReactNode, Suspense } from 'react'
import type { ShownPart } from '#web/crm/list-part.tsx'
import { useSearchesDeviceOnly } from '#web/data/board-search.ts'
import type { Board } from '#web/data/deals.ts'
import type { Where } from '#web/data/query/list-options.ts'
import { useIsOffline } from '#web/data/sync/sync-status.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { useSkeleton } from '#web/ui/skeleton.tsx'
import { BoardSkeleton } from './board-skeleton.tsx'
import { DealsBoard } from './deals-board.tsx'

const loadNoDeals = () => import('./no-deals.tsx')
const NoDeals = lazyComponent(async () => (await loadNoDeals()).NoDeals)
const NoStages = lazyComponent(async () => (await loadNoDeals()).NoStages)
const DealNoteHits = lazyComponent(
  async () => (await import('./deal-note-hits.tsx')).default,
  ({ empty }) => empty && empty(true),
)
const Unreachable = lazyComponent(async () => (await loadNoDeals()).Unreachable)

/**
 * Shows the board; over a board without deals, also a text that says why there are none. Before the deals are known, shows a skeleton, or a text that
 * says that the server is unreachable. In a brand without stages, shows a text that says so.
 */
export function BoardStates({
  board,
  currentId,
  search,
  owner,
  part,
  where,
  filter,
  onClearSearch,
  onShowAll,
  onCreate,
}: {
  board: Board
  /** The deal whose panel is open. */
  currentId: string | null
  /** The search text of the board. */
  search: string
  /** The owner filter, as in the URL. */
  owner: string | undefined
  part: ShownPart | undefined
  /** The conditions of the filters. */
  where: Where | undefined
  /** The owner filter's control on the phone. */
  filter: ReactNode
  onClearSearch: () => void
  onShowAll: () => void
  onCreate: () => void
}) {
  const phase = useSkeleton(board.ready)
  const searchesDeviceOnly = useSearchesDeviceOnly()
  const offline = useIsOffline()

  if (phase !== 'content') {
    if (offline && phase === 'skeleton')
      return (
        <Centered>
          <Unreachable />
        </Centered>
      )
    return (
      <div className="min-h-0 flex-1 px-6 pb-6 max-sm:px-4 max-sm:pb-0">
        {phase === 'skeleton' && <BoardSkeleton />}
      </div>
    )
  }
  if (board.columns.length === 0) {
    return (
      <Centered>
        <NoStages />
      </Centered>
    )
  }
  const searching = search.trim() !== ''
  const isLocalOnly = searchesDeviceOnly && searching
  const isNarrowed = searching || where !== undefined || (part !== undefined && !part.stageId)
  const isEmpty = !board.isCounting && board.columns.every(({ count }) => count === 0)
  const renderNoDeals = (hasOnlyLocalNotes: boolean) => (
    <NoDeals
      hasOnlyLocalNotes={hasOnlyLocalNotes}
      search={search}
      owner={owner}
      part={part}
      isFiltered={where !== undefined}
      onClearSearch={onClearSearch}
      onShowAll={onShowAll}
      onCreate={onCreate}
    />
  )
  return (
    <div className="relative flex min-h-70 flex-1 flex-col gap-3">
      {isLocalOnly && (
        <p role="status" className="px-6 text-sm text-warn max-sm:px-4">
          Offline: only the deals on this device are searched
        </p>
      )}
      {part?.aim}
      <DealsBoard
        key={board.pipelineId}
        board={board}
        currentId={currentId}
        stageId={part?.stageId ?? null}
        narrowedBy={isNarrowed ? search + JSON.stringify(where) : ''}
        filter={filter}
      />
      <Suspense>
        {search.trim().length > 1 ? (
          <DealNoteHits {...{ board, search, owner, part, where, currentId }} empty={isEmpty && renderNoDeals} />
        ) : (
          isEmpty && renderNoDeals(false)
        )}
      </Suspense>
    </div>
  )
}

function Centered({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-0 flex-1 place-items-center pb-24">
      <Suspense>{children}</Suspense>
    </div>
  )
}
