import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { type CreateDialog, CreateDialogs } from './create-dialogs.tsx'
import { ExportButton } from './export/export-button.tsx'
import { FilterButton } from './filter-button.tsx'
import { ListCount } from './list-count.tsx'
import type { ShownList } from './list-states.tsx'
import { MineToggle } from './mine-toggle.tsx'
import { SelectAll, SelectOnPhone } from './select-all.tsx'
import type { useListPage } from './use-list-page.ts'
import { useMarkedWords } from './use-marked-words.ts'
import { usePicking } from './use-picking.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import type { NoteQuery } from '#web/data/note-search-source.ts'
import type { ListQuery } from '#web/data/query/list-options.ts'
import type { RecordList } from '#web/data/query/record-list.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { cx } from '#web/lib/class-names.ts'
import { useDocumentTitle } from '#web/lib/document-title.ts'
import { useListSelection } from '#web/lib/use-list-selection.ts'
import { AddButton } from '#web/ui/add-button.tsx'
import { ListBar } from '#web/ui/list-bar.tsx'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { useSelectAll } from '#web/lib/row-keys.ts'
import { moveFromSearch } from '#web/ui/move-from-search.ts'
import { Outlet } from '#web/ui/outlet.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PanelBeside } from '#web/ui/panel-beside.tsx'
import { SortMenu } from '#web/ui/sort-menu.tsx'

const RecordSelection = lazyComponent(async () => (await import('./record-selection.tsx')).RecordSelection)
const FilterChips = lazyComponent(async () => (await import('./filter-chips.tsx')).FilterChips)
const MatchingSelection = lazyComponent(async () => (await import('./matching-selection.tsx')).MatchingSelection)

/** Returns the query that searches the notes. Null without a search, and for a search of one letter, which almost every note contains. */
function noteQueryOf(table: OwnedTable, { search, mine, where }: ListQuery): NoteQuery | null {
  return search.trim().length > 1 ? { table, search: search.trim(), mine, where } : null
}

interface ListPageProps<Table extends OwnedTable, Sort extends string, Entry> {
  table: Table
  title: string
  /** The placeholder of the search: 'Search contacts...'. */
  searchLabel: string
  /** The text of the button that adds a record: 'Add Contact'. */
  addLabel: string
  /** Is shown before the button that adds a record. */
  actions?: ReactNode
  page: ReturnType<typeof useListPage<Sort>>
  list: RecordList<Entry>
  idOf: (entry: Entry) => string
  /** Whether there is a menu above the list for choosing the order. */
  hasSortMenu: boolean
  /** Whether the checkbox that selects all rows is above the list. (A table has it in its head.) */
  hasSelectAll?: boolean
  /** The form for a new record. */
  dialog: CreateDialog<Table>
  /** The CSS classes that set the space below the search. */
  className: string
  children: (listed: ShownList) => ReactNode
}

/** A page that lists records of one table: title, search, 'Mine', order, list, actions for selected rows, and the open record's panel. */
export function ListPage<Table extends OwnedTable, Sort extends string, Entry>(
  props: ListPageProps<Table, Sort, Entry>,
) {
  const { table, title, page, list, idOf } = props
  const { search, setSearch, mine, part, filters, filterBy, showMine, openId } = page
  const isFiltered = page.filter !== undefined
  const { many } = rowWordsOf(table)
  useDocumentTitle(openId ? null : title)
  const listKey = JSON.stringify(page.query)
  const idAt = (index: number) => {
    const entry = list.at(index)
    return entry && idOf(entry)
  }
  const selection = useListSelection(idAt, list.total, listKey)
  // 'Select all' shows the exact number of rows. Requesting the last known row makes the server count all rows.
  useEffect(() => {
    if (list.hasMore && selection.box !== 'none') list.want(list.total - 1)
  }, [list, selection.box])
  const content = useRef<HTMLDivElement>(null)
  useMarkedWords(content, page.query.search)
  // If everything is selected already, nothing changes: an action on the selection may be running.
  useSelectAll(content, () => selection.everything || selection.selectLoaded())

  const notes = noteQueryOf(table, page.query)

  const narrow = useNarrow()
  const { sort: order, ...queryWithoutSort } = page.query
  const exportQuery = { table, ...queryWithoutSort, order }
  const filterButton = (
    <FilterButton table={table} filters={filters} onChange={filterBy} quiet={narrow}>
      {narrow && list.total > 0 && (
        <ExportButton query={exportQuery} label={`Export these ${many}`} quiet className="w-full" />
      )}
    </FilterButton>
  )

  return (
    <PanelBeside panel={<Outlet />}>
      <div
        ref={content}
        {...usePicking(selection, openId !== null)}
        onKeyDown={moveFromSearch}
        className="relative flex h-full min-h-0 flex-col"
      >
        <div className={cx('flex flex-col gap-4 px-6 pt-6 max-sm:gap-3 max-sm:px-4 max-sm:pt-2', props.className)}>
          <PageHeader
            title={title}
            actions={
              <>
                {list.total > 0 && <ExportButton query={exportQuery} className="max-sm:hidden" />}
                {props.actions}
                <AddButton label={props.addLabel} onClick={page.create} />
              </>
            }
          />
          <ListBar
            search={search}
            onSearch={setSearch}
            label={props.searchLabel}
            pending={list.searching && search.trim() !== ''}
            count={list.ready ? <ListCount table={table} list={list} notes={notes} /> : null}
            isOnDeviceOnly={list.hasFailed}
            aside={
              <>
                {narrow && filterButton}
                {list.total > 0 && <SelectOnPhone selection={selection} />}
              </>
            }
          >
            <MineToggle pressed={mine} onChange={showMine} />
            {!narrow && filterButton}
            {part?.toggle?.(page.showWhole)}
            {props.hasSortMenu && <SortMenu {...page.sortMenu} />}
            {props.hasSelectAll && list.total > 0 && <SelectAll selection={selection} withText />}
          </ListBar>
          <Suspense>
            {isFiltered && (
              <FilterChips table={table} filters={filters} onChange={filterBy} className="-mt-1 max-sm:mt-0" />
            )}
          </Suspense>
        </div>
        {props.children({
          listKey,
          selection,
          currentId: openId,
          search,
          mine,
          part,
          isFiltered,
          onAdd: page.create,
          onClearSearch: () => setSearch(''),
          onShowAll: page.showAll,
          noteQuery: notes,
        })}
        <Suspense>
          {selection.everything ? (
            <MatchingSelection
              matching={{ table, search: page.query.search, mine, where: page.query.where }}
              selection={selection}
            />
          ) : (
            (selection.count > 0 || selection.picking) && (
              <RecordSelection
                table={table}
                selection={selection}
                total={list.total}
                isFiltered={mine || page.query.where !== undefined || page.query.search.trim() !== ''}
                isTotalUnsure={list.hasFailed || list.searching || list.hasMore === true}
              />
            )
          )}
        </Suspense>
        <CreateDialogs table={table} dialog={props.dialog} open={page.creating} onClose={page.endCreating} />
      </div>
    </PanelBeside>
  )
}
