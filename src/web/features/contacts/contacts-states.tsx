import { type ShownList, ListStates } from '#web/crm/list-states.tsx'
import type { ContactEntry, ContactSort } from '#web/data/contacts.ts'
import type { RecordList } from '#web/data/query/record-list.ts'
import { cx } from '#web/lib/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { PlusIcon, UploadIcon } from '#web/ui/icons.tsx'
import { tableHeadClasses } from '#web/ui/table-row.ts'
import { PlaceholderCard } from './contact-card.tsx'
import { ContactList } from './contact-list.tsx'
import { contactColumns, PlaceholderRow } from './contact-row.tsx'

interface ContactsStatesProps extends ShownList {
  list: RecordList<ContactEntry>
  sort: ContactSort
  onSort: (sort: ContactSort) => void
  onImport: () => void
}

/** Shows the list, its skeleton or its empty state. */
export function ContactsStates(props: ContactsStatesProps) {
  const { list, listKey, sort, onSort, selection, currentId, onAdd, onImport, ...empty } = props
  return (
    <ListStates
      {...empty}
      currentId={currentId}
      list={list}
      skeleton={<ContactsSkeleton />}
      noMatch="No contacts found matching your search"
      noneOfMine={['No contact is yours']}
      showAll="Show all contacts"
      none={['No contacts yet']}
      first={
        <>
          <Button icon={<PlusIcon />} onClick={onAdd}>
            Add Your First Contact
          </Button>
          <Button icon={<UploadIcon />} onClick={onImport}>
            Import a CSV File
          </Button>
        </>
      }
    >
      <ContactList {...{ list, listKey, sort, onSort, selection, currentId }} />
    </ListStates>
  )
}

const placeholderIndexes = Array.from({ length: 12 }, (_, index) => index)

function ContactsSkeleton() {
  return (
    <>
      <div className="@container px-3 max-sm:hidden">
        <div className={cx(tableHeadClasses, contactColumns)} />
        {placeholderIndexes.map((index) => (
          <PlaceholderRow key={index} />
        ))}
      </div>
      <div className="flex flex-col gap-3 px-4 sm:hidden">
        {placeholderIndexes.slice(0, 6).map((index) => (
          <PlaceholderCard key={index} />
        ))}
      </div>
    </>
  )
}
