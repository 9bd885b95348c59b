import { Suspense, useDeferredValue, useRef, useState } from 'react'
import { CreateDialogs } from '#web/crm/create-dialogs.tsx'
import { FilterButton } from '#web/crm/filter-button.tsx'
import { useListUrl } from '#web/crm/use-list-url.ts'
import { useMarkedWords } from '#web/crm/use-marked-words.ts'
import { useBoard } from '#web/data/deals.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import { BoardStates } from '#web/features/deals/board-states.tsx'
import { DealsHeader } from '#web/features/deals/deals-header.tsx'
import { OwnerFilter } from '#web/features/deals/owner-filter.tsx'
import { NewDealDialog } from '#web/features/deals/new-deal-dialog.tsx'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Outlet } from '#web/ui/outlet.tsx'
import { PanelBeside } from '#web/ui/panel-beside.tsx'

const FilterChips = lazyComponent(async () => (await import('#web/crm/filter-chips.tsx')).FilterChips)
const ExportBoard = lazyComponent(async () => (await import('#web/features/deals/export-board.tsx')).ExportBoard)
const PipelineSwitch = lazyComponent(
  async () => (await import('#web/features/deals/pipeline-switch.tsx')).PipelineSwitch,
)

/** /crm/deals: a pipeline of the active brand as a board (spec section 2), with the open deal in the panel beside it. */
export function DealsPage() {
  const { owner, showOwner, part, showWhole, showAll, openId, creating, create, endCreating, ...listUrl } = useListUrl()
  const { filters, filterBy, pipeline, showPipeline } = listUrl
  const [search, setSearch] = useState('')
  const deferredSearch = useDeferredValue(search)
  const board = useBoard(deferredSearch, {
    mine: owner === 'mine',
    owner: owner === 'none' ? null : owner,
    where: part?.where?.(),
    filter: listUrl.filter,
    pipeline: pipeline ?? part?.stageId,
  })
  const content = useRef<HTMLDivElement>(null)
  useMarkedWords(content, search)
  useDocumentTitle(openId ? null : 'Deals')
  const pipelines = usePipelines()
  const filterControls = (
    <>
      {board.ready && pipelines.length > 1 && (
        <Suspense>
          <PipelineSwitch pipelines={pipelines} shownId={board.pipelineId} openId={openId} onChange={showPipeline} />
        </Suspense>
      )}
      <OwnerFilter owner={owner} onChange={showOwner} />
      <FilterButton table="deals" filters={filters} onChange={filterBy} compact>
        <ExportBoard board={board} search={search} owner={owner} part={part} filter={listUrl.filter} />
      </FilterButton>
    </>
  )
  return (
    <PanelBeside panel={<Outlet />}>
      <div ref={content} className="flex h-full min-h-0 flex-col">
        <DealsHeader
          board={board}
          search={search}
          onSearch={setSearch}
          covered={openId !== null}
          filter={filterControls}
          onCreate={create}
        />
        {part?.toggle?.(showWhole)}
        <Suspense>
          {listUrl.filter && (
            <FilterChips
              table="deals"
              filters={filters}
              onChange={filterBy}
              className="-mt-2 px-6 pb-3 max-sm:mt-0 max-sm:px-4"
            />
          )}
        </Suspense>
        <BoardStates
          board={board}
          currentId={openId}
          search={deferredSearch}
          owner={owner}
          part={part}
          where={listUrl.filter}
          filter={filterControls}
          onClearSearch={() => setSearch('')}
          onShowAll={showAll}
          onCreate={create}
        />
        <CreateDialogs table="deals" dialog={NewDealDialog} open={creating} onClose={endCreating} />
      </div>
    </PanelBeside>
  )
}
