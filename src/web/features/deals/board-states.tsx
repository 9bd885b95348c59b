import { useDevice } from '#web/data/browser/device.ts'
import type { ReactNode } from 'react'
import { EmptyList } from '#web/crm/empty-list.tsx'
import type { ShownPart } from '#web/crm/list-part.tsx'
import { useSearchesDeviceOnly } from '#web/data/board-search.ts'
import { type Board, reloadBoard } from '#web/data/deals.ts'
import { type People, usePeople } from '#web/data/people/people.ts'
import { useSyncStatus } from '#web/data/sync/sync-status.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PlusIcon, RefreshIcon } from '#web/ui/icons.tsx'
import { useSkeleton } from '#web/ui/skeleton.tsx'
import { BoardSkeleton } from './board-skeleton.tsx'
import { DealsBoard } from './deals-board.tsx'

/** The board; or a skeleton, no answer of the server, no stages; and the text on an empty board. */
export function BoardStates({
  board,
  currentId,
  search,
  owner,
  part,
  filter,
  onClearSearch,
  onShowAll,
  onCreate,
}: {
  board: Board
  /** The deal whose panel is open. */
  currentId: string | null
  search: string
  /** Whose deals are shown, as in the address. */
  owner: string | undefined
  part: ShownPart | undefined
  /** Chooses whose deals are shown, on the phone. */
  filter: ReactNode
  onClearSearch: () => void
  onShowAll: () => void
  onCreate: () => void
}) {
  const people = usePeople()
  const phase = useSkeleton(board.ready)
  const searchesDeviceOnly = useSearchesDeviceOnly()
  const offline = useSyncStatus()?.state === 'offline'

  if (phase !== 'content') {
    if (offline && phase === 'skeleton') return <NoAnswer />
    return (
      <div className="min-h-0 flex-1 px-6 pb-6 max-sm:px-4 max-sm:pb-0">
        {phase === 'skeleton' && <BoardSkeleton />}
      </div>
    )
  }
  if (board.columns.length === 0) {
    return (
      <Middle>
        <EmptyState drawing="add" title="No stages yet" description="Please create a stage first in Settings" />
      </Middle>
    )
  }
  const searching = search.trim() !== ''
  const isPartial = searchesDeviceOnly && searching
  const empty = board.columns.every(({ count }) => count === 0)
  return (
    <div className="relative flex min-h-0 flex-1 flex-col gap-3">
      {isPartial && (
        <p role="status" className="px-6 text-sm text-warn max-sm:px-4">
          Offline: only the deals on this device are searched
        </p>
      )}
      {part?.aim}
      <DealsBoard board={board} currentId={currentId} searching={searching} filter={filter} />
      {empty && (
        <div className="pointer-events-none absolute inset-x-6 top-28 grid place-items-center max-sm:right-10 max-sm:left-6 max-sm:top-32">
          <div className="pointer-events-auto rounded-column bg-surface px-12 shadow-card max-sm:w-full max-sm:px-2">
            <EmptyList
              search={search}
              mine={owner !== undefined}
              part={part}
              noMatch={['No deals found matching your search']}
              noneOfMine={noneOf(owner, people.byId)}
              showAll="Show all deals"
              none={['No deals yet', 'Create one here, or with the plus button of a stage.']}
              first={
                <Button icon={<PlusIcon />} onClick={onCreate}>
                  Add Your First Deal
                </Button>
              }
              onClearSearch={onClearSearch}
              onShowAll={onShowAll}
            />
          </div>
        </div>
      )}
    </div>
  )
}

function noneOf(owner: string | undefined, byId: People['byId']): [title: string, hint: string] {
  if (owner === 'none') return ['No deals without an owner', 'Deals that have an owner are hidden.']
  const name = owner === 'mine' ? 'yours' : (byId(owner ?? null)?.name ?? 'this person')
  return [`No deals of ${name}`, 'Deals of other owners are hidden.']
}

/** Nothing is on this device, and the server is unreachable. It continues by itself when the server answers. */
function NoAnswer() {
  const device = useDevice()
  return (
    <Middle>
      <EmptyState
        drawing="error"
        title="Error loading deals"
        description="The server did not answer, and nothing of this brand is on this device yet."
        actions={
          <Button icon={<RefreshIcon />} onClick={() => void reloadBoard(device)}>
            Try again
          </Button>
        }
      />
    </Middle>
  )
}

function Middle({ children }: { children: ReactNode }) {
  return <div className="grid min-h-0 flex-1 place-items-center pb-24">{children}</div>
}
