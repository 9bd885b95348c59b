import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Board } from '#web/data/deals.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { giveFocus } from '#web/ui/focus.ts'
import { AddButton } from '#web/ui/add-button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { SearchIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { useBackCloses } from '#web/ui/use-back-closes.ts'
import { PipelineValue } from './pipeline-value.tsx'

/**
 * The header of the deals page: title, hint, pipeline value, search, owner filter and 'New Deal'. On the phone, the filter is in the stage
 * bar, and a button opens the search below the title; the button and Back close and empty it.
 */
export function DealsHeader({
  board,
  search,
  onSearch,
  covered,
  filter,
  onCreate,
}: {
  board: Board
  search: string
  onSearch: (search: string) => void
  /** Whether a deal's panel covers the page (on the phone). */
  covered: boolean
  /** The owner filter's control. */
  filter: ReactNode
  onCreate: () => void
}) {
  const [searching, setSearching] = useState(search !== '')
  const phone = useNarrow()
  const toggle = () => {
    // Rendered at once: iOS opens the keyboard only if the field gets the focus before the handler of the tap ends.
    flushSync(() => {
      onSearch('')
      setSearching(!searching)
    })
    giveFocus(document.querySelector(searching ? '#search-deals' : '[role=searchbox]'))
  }
  useBackCloses(phone && searching && !covered, toggle)

  return (
    <div className="deals-header @container flex flex-col gap-3 px-6 pt-6 pb-5 max-sm:px-4 max-sm:pt-2 max-sm:pb-3">
      <PageHeader
        title="Deals Pipeline"
        hint={<span className="max-sm:sr-only">Drag deals between stages to update their status</span>}
        actions={
          <>
            {board.ready ? <PipelineValue board={board} /> : <i className="w-27 @max-lg:hidden" />}
            {phone ? (
              <IconButton
                id="search-deals"
                label="Search deals"
                icon={<SearchIcon className="size-5" />}
                aria-expanded={searching}
                onClick={toggle}
              />
            ) : (
              <>
                <SearchInput
                  value={search}
                  onChange={onSearch}
                  label="Search deals…"
                  className="w-60 min-w-20 @max-6xl:w-40 @max-4xl:w-28 @max-3xl:min-w-40 @max-3xl:flex-1"
                />
                {filter}
              </>
            )}
            <AddButton label="New Deal" onClick={onCreate} />
          </>
        }
      />
      {phone && searching && <SearchInput value={search} onChange={onSearch} label="Search deals…" shortcut={false} />}
    </div>
  )
}
