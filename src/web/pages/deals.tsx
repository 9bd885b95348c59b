import { Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { endCorrection, useCorrection } from '#web/data/changes/correction.ts'
import { useBoard } from '#web/data/deals.ts'
import { BoardStates } from '#web/features/deals/board-states.tsx'
import { DealsHeader } from '#web/features/deals/deals-header.tsx'
import { NewDealDialog } from '#web/features/deals/new-deal-dialog.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { PanelBeside } from '#web/ui/panel-beside.tsx'

/** /crm/deals: the pipeline of the active brand as a board (spec section 2); one of the deals beside it. */
export function DealsPage() {
  const { mine: isMine, new: isNew } = useSearch({ from: '/crm/deals' })
  const mine = isMine === 1
  const { dealId = null } = useParams({ strict: false })
  const navigate = useNavigate({ from: '/crm/deals' })
  const [search, setSearch] = useState('')
  const [creating, setCreating] = useState(isNew === 1)
  const correction = useCorrection('deals')
  const board = useBoard(useDeferredValue(search), { mine })
  useDocumentTitle(dealId ? null : 'Deals')
  const endCreating = () => {
    setCreating(false)
    if (isNew)
      void navigate({ to: '.', search: (old) => ({ ...old, new: undefined }), replace: true, resetScroll: false })
  }
  const showMine = (on: boolean) =>
    void navigate({ to: '.', search: (old) => ({ ...old, mine: on ? 1 : undefined }), replace: true })

  return (
    <PanelBeside panel={<Outlet />}>
      <div className="flex h-full min-h-0 flex-col">
        <DealsHeader
          pipeline={board.ready ? board.pipeline : null}
          search={search}
          onSearch={setSearch}
          mine={mine}
          onMine={showMine}
          onCreate={() => setCreating(true)}
        />
        <BoardStates
          board={board}
          currentId={dealId}
          search={search}
          mine={mine}
          onClearSearch={() => setSearch('')}
          onMine={showMine}
          onCreate={() => setCreating(true)}
        />
        {correction && <NewDealDialog key={correction.rowId} open onClose={endCorrection} correction={correction} />}
        <NewDealDialog open={creating} onClose={endCreating} />
      </div>
    </PanelBeside>
  )
}
