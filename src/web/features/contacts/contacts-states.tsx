import type { ComponentProps } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PlusIcon, UploadIcon } from '#web/ui/icons.tsx'
import { useSkeleton } from '#web/ui/skeleton.tsx'
import { tableHead } from '#web/ui/table-row.ts'
import { PlaceholderCard } from './contact-card.tsx'
import { ContactList } from './contact-list.tsx'
import { contactColumns, PlaceholderRow } from './contact-row-view.tsx'

interface ContactsStatesProps extends ComponentProps<typeof ContactList> {
  search: string
  mine: boolean
  onAdd: () => void
  onImport: () => void
  onClearSearch: () => void
  onShowAll: () => void
}

/** The list, or what stands in its place: skeletons, no contact yet, no match, none of mine. */
export function ContactsStates(props: ContactsStatesProps) {
  const { search, mine, onAdd, onImport, onClearSearch, onShowAll, ...shown } = props
  const { list } = shown
  const phase = useSkeleton(list.ready)
  if (phase === 'wait') return null
  if (phase === 'skeleton') return <ContactsSkeleton />
  if (list.total > 0) return <ContactList {...shown} />
  if (search.trim()) {
    if (list.searching) return <ContactsSkeleton />
    return (
      <EmptyState
        drawing="search"
        title="No contacts found matching your search"
        description={list.partial ? 'Offline: only what is on this device was searched.' : undefined}
        actions={<Button onClick={onClearSearch}>Clear search</Button>}
      />
    )
  }
  if (mine) {
    return (
      <EmptyState
        drawing="search"
        title="No contact is yours"
        actions={<Button onClick={onShowAll}>Show all contacts</Button>}
      />
    )
  }
  return (
    <EmptyState
      drawing="add"
      title="No contacts yet"
      actions={
        <>
          <Button icon={<PlusIcon />} onClick={onAdd}>
            Add Your First Contact
          </Button>
          <Button icon={<UploadIcon />} onClick={onImport}>
            Import CSV
          </Button>
        </>
      }
    />
  )
}

const places = Array.from({ length: 12 }, (_, index) => index)

function ContactsSkeleton() {
  return (
    <>
      <div className="@container px-3 max-sm:hidden">
        <div className={cx(tableHead, contactColumns)} />
        {places.map((place) => (
          <PlaceholderRow key={place} />
        ))}
      </div>
      <div className="flex flex-col gap-3 px-4 sm:hidden">
        {places.slice(0, 6).map((place) => (
          <PlaceholderCard key={place} />
        ))}
      </div>
    </>
  )
}
