import { useState } from 'react'
import type { Money } from '#web/data/record-list.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatSums } from '#web/lib/money.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PlusIcon, SearchIcon } from '#web/ui/icons.tsx'
import { MineToggle } from '#web/ui/mine-toggle.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'

/** Title, hint, pipeline value, search and 'New Deal'. On the phone the search opens under the title. */
export function DealsHeader({
  pipeline,
  search,
  onSearch,
  mine,
  onMine,
  onCreate,
}: {
  /** Null while it is not known. */
  pipeline: readonly Money[] | null
  search: string
  onSearch: (search: string) => void
  mine: boolean
  onMine: (mine: boolean) => void
  onCreate: () => void
}) {
  const [searching, setSearching] = useState(search !== '')
  const phone = useNarrow()
  useShortcut('n', onCreate)

  return (
    <div className="@container flex flex-col gap-3 px-6 pt-6 pb-5 max-sm:px-4 max-sm:pt-2 max-sm:pb-3">
      <PageHeader
        title="Deals Pipeline"
        hint={<span className="max-sm:sr-only">Drag deals between stages to update their status</span>}
        actions={
          <>
            <PipelineValue pipeline={pipeline} />
            {phone ? (
              <>
                <MineToggle compact pressed={mine} onChange={onMine} />
                <IconButton
                  label="Search deals"
                  icon={<SearchIcon className="size-5" />}
                  aria-expanded={searching}
                  onClick={() => {
                    onSearch('')
                    setSearching(!searching)
                  }}
                />
                <IconButton
                  label="New Deal"
                  icon={<PlusIcon className="size-5" />}
                  variant="primary"
                  onClick={onCreate}
                />
              </>
            ) : (
              <>
                <SearchInput value={search} onChange={onSearch} label="Search deals…" className="w-60" />
                <MineToggle compact pressed={mine} onChange={onMine} />
                <Button variant="primary" icon={<PlusIcon />} aria-keyshortcuts="n" onClick={onCreate}>
                  New Deal
                </Button>
              </>
            )}
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
      <dd className="num font-semibold text-[14px]/5">{formatSums(pipeline ?? [])}</dd>
    </dl>
  )
}
