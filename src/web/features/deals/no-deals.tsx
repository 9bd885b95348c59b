import { EmptyList } from '#web/crm/empty-list.tsx'
import type { ShownPart } from '#web/crm/list-part.tsx'
import { useDevice } from '#web/data/browser/device.ts'
import { reloadBoard } from '#web/data/deals.ts'
import { type People, usePeople } from '#web/data/people/people.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PlusIcon, RefreshIcon } from '#web/ui/icons.tsx'

/** Shown over a board without deals: why it is empty, and the next step. `owner`: the owner filter, as in the URL. */
export function NoDeals(props: {
  search: string
  owner: string | undefined
  part: ShownPart | undefined
  isFiltered: boolean
  /** Whether only the notes on this device were searched. */
  hasOnlyLocalNotes: boolean
  onClearSearch: () => void
  onShowAll: () => void
  onCreate: () => void
}) {
  const { search, owner, part, isFiltered, hasOnlyLocalNotes, onClearSearch, onShowAll, onCreate } = props
  const { byId } = usePeople()
  return (
    <div className="pointer-events-none absolute inset-x-6 top-28 grid place-items-center max-sm:right-10 max-sm:left-6 max-sm:top-32">
      <div className="pointer-events-auto rounded-column bg-surface px-12 shadow-card max-sm:w-full max-sm:px-2">
        <EmptyList
          search={search}
          mine={owner !== undefined}
          part={part}
          isFiltered={isFiltered}
          noMatch="No deals found matching your search"
          searchedHere={hasOnlyLocalNotes ? 'notes' : undefined}
          noneOfMine={noDealsTexts(owner, byId)}
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
  )
}

function noDealsTexts(owner: string | undefined, byId: People['byId']): [title: string, hint: string] {
  if (owner === 'none') return ['No deals without an owner', 'Deals that have an owner are hidden.']
  const name = owner === 'mine' ? 'yours' : (byId(owner ?? null)?.name ?? 'this person')
  return [`No deals of ${name}`, 'Deals of other owners are hidden.']
}

/** Shown if this device has no data and the server is unreachable. The page continues by itself when the server responds. */
export function Unreachable() {
  const device = useDevice()
  return (
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
  )
}

/** Shown if the brand has no stages. */
export function NoStages() {
  return <EmptyState drawing="add" title="No stages yet" description="Please create a stage first in Settings" />
}
