import { useDeferredValue, useState } from 'react'
import { useBoard } from '#web/data/deals.ts'
import { BoardStates } from '#web/features/deals/board-states.tsx'
import { DealsHeader } from '#web/features/deals/deals-header.tsx'
import { NewDealDialog } from '#web/features/deals/new-deal-dialog.tsx'

/** /crm/deals: the pipeline of the active brand as a board (spec section 2). */
export function DealsPage() {
  const [search, setSearch] = useState('')
  const [creating, setCreating] = useState(false)
  const board = useBoard(useDeferredValue(search))

  return (
    <div className="flex h-full min-h-0 flex-col">
      <DealsHeader
        pipeline={board.ready ? board.pipeline : null}
        search={search}
        onSearch={setSearch}
        onCreate={() => setCreating(true)}
      />
      <BoardStates
        board={board}
        search={search}
        onClearSearch={() => setSearch('')}
        onCreate={() => setCreating(true)}
      />
      <NewDealDialog open={creating} onClose={() => setCreating(false)} />
    </div>
  )
}
