import type { ComponentPropsWithRef } from 'react'
import type { ListedTable } from '#web/data/store/record-tables.ts'
import { writeSearch } from '#web/lib/routing/search-format.ts'
import { useRouter } from '#web/lib/routing/use-router.ts'
import { opensElsewhere } from '#web/ui/link.tsx'

/**
 * Opens a record's panel beside its list, at /crm/LIST/ID. If this list is already shown, the URL keeps its search parameters. If another
 * panel of this list is open, the new history entry replaces the old one, so that Back does not open the former record again.
 */
export function useOpenRecord(): (list: ListedTable, id: string, hash?: string) => void {
  const router = useRouter()
  return (list, id, hash = '') => {
    const { pathname, search, state } = router.requested
    const page = `/crm/${list}`
    const isHere = pathname === page || pathname.startsWith(`${page}/`)
    const isOpen = isHere && pathname !== page
    void router.open(`${page}/${id}${isHere ? writeSearch(search) : ''}${hash}`, {
      replace: isOpen,
      state: { overList: isOpen ? state.overList : isHere },
    })
  }
}

/** Closes the panel: goes one step back if the list is the previous history entry, otherwise replaces the entry with the list. */
export function useClosePanel(table: ListedTable): () => void {
  const router = useRouter()
  return () => {
    const { search, state } = router.requested
    if (state.overList) return router.back()
    void router.open(`/crm/${table}${writeSearch(search)}`, { replace: true })
  }
}

interface RecordLinkProps extends ComponentPropsWithRef<'a'> {
  /** The record's table. It is also the name of the list in the URL: 'contacts'. */
  table: ListedTable
  id: string
  /** The part of the panel to which the link scrolls: '#note-ID'. */
  hash?: string | undefined
  /** The id of the link's element, 'contact-ID'. The element gets the focus when the panel closes. */
  focusId?: string
}

/** A link to a record's panel. With Ctrl, Cmd or the middle button it opens a new tab. */
export function RecordLink({ table, id, hash = '', focusId, onClick, children, ...rest }: RecordLinkProps) {
  const open = useOpenRecord()
  return (
    <a
      {...rest}
      id={focusId}
      href={`/crm/${table}/${id}${hash}`}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || opensElsewhere(event)) return
        event.preventDefault()
        open(table, id, hash)
      }}
    >
      {children}
    </a>
  )
}
