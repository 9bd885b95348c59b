import { useRouter } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

/**
 * Opens a record's panel beside its list, at /crm/LIST/ID. From its own list the address keeps the search parameters; from a panel of the
 * same list the new entry replaces the old one in the history, so that Back always closes the panel.
 */
export function useOpenRecord(): (list: string, id: string, hash?: string) => void {
  const router = useRouter()
  return (list, id, hash = '') => {
    const { pathname, searchStr, state } = router.state.location
    const page = `/crm/${list}`
    const isHere = pathname === page || pathname.startsWith(`${page}/`)
    const isOpen = isHere && pathname !== page
    void router.navigate({
      href: `${page}/${id}${isHere ? searchStr : ''}${hash}`,
      replace: isOpen,
      resetScroll: false,
      state: { overList: isOpen ? state.overList : isHere },
    })
  }
}

/** Closes the panel: goes one step back when the list is the previous entry of the history, otherwise replaces the entry with the list. */
export function useClosePanel(page: `/crm/${string}`): () => void {
  const router = useRouter()
  return () => {
    const { searchStr, state } = router.state.location
    if (state.overList) return router.history.back()
    void router.navigate({ href: `${page}${searchStr}`, replace: true, resetScroll: false })
  }
}

interface RecordLinkProps extends ComponentPropsWithRef<'a'> {
  /** The list in the address: 'contacts'. */
  table: string
  id: string
  /** The part of the panel that it leads to: '#note-ID'. */
  hash?: string | undefined
  /** The id of the link's element, 'contact-ID': the panel gives the focus back to it. */
  focusId?: string
}

/** A link to a record's panel; with Ctrl, Cmd or the middle button it opens a new tab. */
export function RecordLink({ table, id, hash = '', focusId, onClick, children, ...rest }: RecordLinkProps) {
  const open = useOpenRecord()
  return (
    <a
      {...rest}
      id={focusId}
      href={`/crm/${table}/${id}${hash}`}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        open(table, id, hash)
      }}
    >
      {children}
    </a>
  )
}
