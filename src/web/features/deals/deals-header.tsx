import { type ReactNode, useState } from 'react'
import type { Money } from '#web/lib/money.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatSums } from '#web/lib/money.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { returnFocus } from '#web/ui/focus.ts'
import { AddButton } from '#web/ui/add-button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { SearchIcon } from '#web/ui/icons.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { useBackCloses } from '#web/ui/use-back-closes.ts'

const buttonId = 'search-deals'

/**
 * Title, hint, pipeline value, search, whose deals, and 'New Deal'. On the phone the search opens below the title until Back closes it,
 * and `filter` is in the stage bar.
 */
export function DealsHeader({
  pipeline,
  search,
  onSearch,
  covered,
  filter,
  onCreate,
}: {
  /** Null while unknown. */
  pipeline: readonly Money[] | null
  search: string
  onSearch: (search: string) => void
  /** A deal lies over the page, on the phone. */
  covered: boolean
  /** Chooses whose deals are shown. */
  filter: ReactNode
  onCreate: () => void
}) {
  const [searching, setSearching] = useState(search !== '')
  const phone = useNarrow()
  const toggle = () => {
    onSearch('')
    setSearching(!searching)
  }
  useBackCloses(phone && searching && !covered, () => {
    toggle()
    returnFocus(buttonId, [])
  })

  return (
    <div
      className={
        '@container flex flex-col gap-3 px-6 pt-6 pb-5 max-sm:px-4 max-sm:pt-2 max-sm:pb-3 ' +
        // With room for all in one line, the search gives way to sums of several currencies, and then they take a line more.
        '@6xl:*:flex-nowrap @6xl:[&>header>:first-child]:shrink-0 @6xl:[&>header>:last-child]:min-w-0 @6xl:[&>header>:last-child]:shrink'
      }
    >
      <PageHeader
        title="Deals Pipeline"
        hint={<span className="max-sm:sr-only">Drag deals between stages to update their status</span>}
        actions={
          <>
            <PipelineValue pipeline={pipeline} />
            {phone ? (
              <IconButton
                id={buttonId}
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
                  className="w-60 @6xl:min-w-24 @6xl:shrink-[99] @max-4xl:w-36 @max-4xl:max-w-60 @max-4xl:grow @max-2xl:min-w-0 @max-2xl:flex-1"
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

function PipelineValue({ pipeline }: { pipeline: readonly Money[] | null }) {
  return (
    <dl className={cx('mr-1 text-right @max-4xl:hidden', pipeline === null && 'invisible')}>
      <dt className="text-ink3 text-xs">Pipeline value</dt>
      <dd className="num font-semibold text-[14px]/5">{formatSums(pipeline ?? []).replaceAll('+ ', '+\u00a0')}</dd>
    </dl>
  )
}
