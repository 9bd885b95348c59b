import { type CSSProperties, Fragment, type ReactNode, type Ref, Suspense, useEffect, useMemo, useRef } from 'react'
import { Virtualizer } from 'virtua'
import { SelectAll } from '#web/crm/select-all.tsx'
import { useSortedField } from '#web/crm/sorted-value.tsx'
import type { ContactEntry, ContactSort } from '#web/data/contacts.ts'
import { readCustomSort } from '#web/data/query/custom-order.ts'
import type { RecordList } from '#web/data/query/record-list.ts'
import { cx } from '#web/lib/class-names.ts'
import { moveBetweenRows } from '#web/lib/row-keys.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { useTopOnChange } from '#web/lib/use-top-on-change.ts'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { FetchWhenVisible } from '#web/ui/fetch-when-visible.tsx'
import { keepFocusOnRow } from '#web/ui/keep-focus-on-row.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { SortHead } from '#web/ui/sort-head.tsx'
import { tableHeadClasses } from '#web/ui/table-row.ts'
import { ContactCard } from './contact-card.tsx'
import {
  contactColumns,
  ContactRow,
  emailColumn,
  customTrackClasses,
  fixedNameCell,
  rowGroupClasses,
  titleColumn,
} from './contact-row.tsx'
import { CustomHead } from './custom-head.tsx'
import { useColumns } from './use-columns.ts'

const ColumnChooser = lazyComponent(async () => (await import('./column-chooser.tsx')).ColumnChooser)

const headHeightPx = 36

export interface ContactListProps {
  list: RecordList<ContactEntry>
  sort: ContactSort
  onSort: (sort: ContactSort) => void
  selection: ListSelection
  /** Identifies the query. With another order or search the list starts at the top. */
  listKey: string
  /** The contact whose panel is open. */
  currentId: string | null
}

/** Contacts as a table, on the phone as cards. Only visible rows are mounted, so the list can have any length. */
export function ContactList(props: ContactListProps) {
  return useNarrow() ? <Cards {...props} /> : <Table {...props} />
}

function Table({ list, listKey, sort, onSort, selection, currentId }: ContactListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  useTopOnChange(scroller, listKey)
  useEffect(() => keepFocusOnRow(scroller.current), [])
  const data = useMemo(() => ({ length: list.total }), [list.total])
  const currentCustomSort = readCustomSort(sort)
  const { columns, fields, choose } = useColumns(currentCustomSort?.fieldId ?? null)
  const chooseColumns = (ids: readonly string[]) => {
    choose(ids)
    // The list must not be sorted by a hidden column.
    if (currentCustomSort && !ids.includes(currentCustomSort.fieldId)) onSort('newest')
  }
  const sortHead = (by: ContactSort, label: string, className?: string) => (
    <SortHead
      label={label}
      sorted={sort === by}
      onSort={() => onSort(sort === by ? 'newest' : by)}
      className={className}
    />
  )
  return (
    <div className="@container relative flex min-h-50 flex-1 flex-col">
      <div
        ref={scroller}
        role="table"
        aria-label="Contacts"
        aria-rowcount={list.hasMore ? -1 : list.total + 1}
        // A scrolling area must be reachable by keyboard
        tabIndex={0}
        onKeyDown={moveBetweenRows}
        className={cx(
          '@container relative min-h-0 flex-1 overflow-y-auto px-3 outline-offset-[-2px]',
          selection.count > 0 ? 'pb-[calc(28px+var(--selection-bar,68px))]' : 'pb-6',
          customTrackClasses[columns.length],
          // Leaves room for the button that chooses columns.
          fields.length > 0 && '@min-[57.75rem]:[--end:2.75rem]',
        )}
      >
        <div role="rowgroup" className={cx('sticky top-0 z-10 bg-bg', rowGroupClasses)}>
          <div role="row" aria-rowindex={1} className={cx(tableHeadClasses, 'bg-bg', contactColumns)}>
            <div role="columnheader" aria-label="Selection" className="sticky left-3 z-2 flex">
              <SelectAll selection={selection} />
            </div>
            {sortHead('name', 'Name', cx('-ml-2 flex items-center pl-1', fixedNameCell))}
            <div role="columnheader" className={titleColumn}>
              Job title
            </div>
            {sortHead('email', 'Email', emailColumn)}
            <div role="columnheader">Phone</div>
            {sortHead('company', 'Company')}
            {columns.map((field) => (
              <CustomHead key={field.id} field={field} sort={sort} onSort={onSort} />
            ))}
          </div>
        </div>
        <Virtualizer key={listKey} data={data} as={Rows} itemSize={44} startMargin={headHeightPx} scrollRef={scroller}>
          {(_: undefined, index: number) => {
            const entry = list.at(index)
            return (
              <Fragment key={rowKeyOf(entry, index)}>
                <FetchWhenVisible list={list} index={index} />
                <ContactRow
                  entry={entry}
                  index={index}
                  selected={entry !== undefined && selection.has(entry.contact.id)}
                  current={entry !== undefined && entry.contact.id === currentId}
                  onToggle={selection.toggle}
                  columns={columns}
                />
              </Fragment>
            )
          }}
        </Virtualizer>
      </div>
      <Suspense>
        {fields.length > 0 && <ColumnChooser fields={fields} columns={columns} onChoose={chooseColumns} />}
      </Suspense>
    </div>
  )
}

function Cards({ list, listKey, sort, selection, currentId }: ContactListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  useTopOnChange(scroller, listKey)
  useEffect(() => keepFocusOnRow(scroller.current), [])
  const sorted = useSortedField('contacts', sort)
  const data = useMemo(() => ({ length: list.total }), [list.total])
  return (
    <div
      ref={scroller}
      // A scrolling area must be reachable by keyboard
      tabIndex={0}
      role="region"
      aria-label="Contacts"
      onKeyDown={moveBetweenRows}
      className="relative min-h-50 flex-1 overflow-y-auto px-4 pt-1 pb-4"
    >
      <Virtualizer key={listKey} data={data} itemSize={132}>
        {(_: undefined, index: number) => {
          const entry = list.at(index)
          return (
            // As in the table, the class `visible` keeps the focus.
            <div key={rowKeyOf(entry, index)} data-row="" data-index={index} className="visible pb-3">
              <FetchWhenVisible list={list} index={index} />
              <ContactCard
                entry={entry}
                index={index}
                sorted={sorted}
                current={entry !== undefined && entry.contact.id === currentId}
                picking={selection.picking}
                selected={entry !== undefined && selection.has(entry.contact.id)}
                onToggle={selection.toggle}
              />
            </div>
          )
        }}
      </Virtualizer>
    </div>
  )
}

/** The key of a row: the contact's id, so that the focus stays on the contact when its index changes. */
function rowKeyOf(entry: ContactEntry | undefined, index: number): string {
  return entry?.contact.id ?? `place-${index}`
}

function Rows({ style, children, ref }: { style: CSSProperties; children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} role="rowgroup" style={style} className={rowGroupClasses}>
      {children}
    </div>
  )
}
