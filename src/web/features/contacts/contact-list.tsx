import { type CSSProperties, type ReactNode, type Ref, useMemo, useRef } from 'react'
import { Virtualizer } from 'virtua'
import type { ContactEntry } from '#web/data/contacts.ts'
import type { RecordList } from '#web/data/record-list.ts'
import { cx } from '#web/lib/class-names.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { tableHead } from '#web/ui/table-row.ts'
import { ContactCard } from './contact-card.tsx'
import { ContactRow, contactColumns, wideOnly } from './contact-row-view.tsx'

const headHeight = 36

/** Contacts as a table, on the phone as cards. Only what is in sight is mounted, so that any number of them scrolls. */
export function ContactList({ list }: { list: RecordList<ContactEntry> }) {
  return useNarrow() ? <Cards list={list} /> : <Table list={list} />
}

function Table({ list }: { list: RecordList<ContactEntry> }) {
  const scroller = useRef<HTMLDivElement>(null)
  const data = useMemo(() => ({ length: list.total }), [list.total])
  return (
    <div
      ref={scroller}
      role="table"
      aria-label="Contacts"
      aria-rowcount={list.total + 1}
      // What scrolls must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto px-3 pb-6 outline-offset-[-2px]"
    >
      <div role="rowgroup" className="sticky top-0 z-10 bg-bg">
        <div role="row" aria-rowindex={1} className={cx(tableHead, contactColumns)}>
          <Head>Name</Head>
          <Head className={wideOnly}>Title</Head>
          <Head>Email</Head>
          <Head className={wideOnly}>Phone</Head>
          <Head>Company</Head>
        </div>
      </div>
      <Virtualizer data={data} as={Rows} itemSize={44} startMargin={headHeight} scrollRef={scroller}>
        {(_: undefined, index: number) => <ContactRow key={index} entry={list.at(index)} index={index} />}
      </Virtualizer>
    </div>
  )
}

function Cards({ list }: { list: RecordList<ContactEntry> }) {
  const data = useMemo(() => ({ length: list.total }), [list.total])
  return (
    // What scrolls must be reachable by keyboard
    <div className="min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-4" tabIndex={0} role="region" aria-label="Contacts">
      <Virtualizer data={data} itemSize={132}>
        {(_: undefined, index: number) => (
          <div key={index} className="pb-3">
            <ContactCard entry={list.at(index)} />
          </div>
        )}
      </Virtualizer>
    </div>
  )
}

function Head({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div role="columnheader" className={className}>
      {children}
    </div>
  )
}

function Rows({ style, children, ref }: { style: CSSProperties; children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} role="rowgroup" style={style}>
      {children}
    </div>
  )
}
