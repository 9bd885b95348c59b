import { Outlet } from '@tanstack/react-router'
import { useDeferredValue, useRef, useState } from 'react'
import { CreateDialogs } from '#web/crm/create-dialogs.tsx'
import { useListAddress } from '#web/crm/use-list-address.ts'
import { useMarkedWords } from '#web/crm/use-marked-words.ts'
import { useBoard } from '#web/data/deals.ts'
import { BoardStates } from '#web/features/deals/board-states.tsx'
import { DealsHeader } from '#web/features/deals/deals-header.tsx'
import { OwnerFilter } from '#web/features/deals/owner-filter.tsx'
import { NewDealDialog } from '#web/features/deals/new-deal-dialog.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { PanelBeside } from '#web/ui/panel-beside.tsx'

/** /crm/deals: the pipeline of the active brand as a board (spec section 2); one of the deals in the panel beside it. */
export function DealsPage() {
  const { owner, showOwner, part, showWhole, showAll, openId, creating, create, endCreating } = useListAddress()
  const [search, setSearch] = useState('')
  const board = useBoard(useDeferredValue(search), {
    mine: owner === 'mine',
    owner: owner === 'none' ? null : owner,
    where: part?.where?.(),
  })
  const content = useRef<HTMLDivElement>(null)
  useMarkedWords(content, search)
  useDocumentTitle(openId ? null : 'Deals')
  const filter = <OwnerFilter owner={owner} onChange={showOwner} />
  return (
    <PanelBeside panel={<Outlet />}>
      <div ref={content} className="flex h-full min-h-0 flex-col">
        <DealsHeader
          pipeline={board.ready ? board.pipeline : null}
          search={search}
          onSearch={setSearch}
          covered={openId !== null}
          filter={filter}
          onCreate={create}
        />
        {part?.toggle?.(showWhole)}
        <BoardStates
          board={board}
          currentId={openId}
          search={search}
          owner={owner}
          part={part}
          filter={filter}
          onClearSearch={() => setSearch('')}
          onShowAll={showAll}
          onCreate={create}
        />
        <CreateDialogs table="deals" dialog={NewDealDialog} open={creating} onClose={endCreating} />
      </div>
    </PanelBeside>
  )
}
