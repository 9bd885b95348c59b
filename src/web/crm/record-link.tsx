import { useRouter } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

/**
 * Opens a record: its panel beside its list, at /crm/LIST/ID. From its own list it keeps what the list shows; from a panel of the same
 * list it takes that one's place in the history, so that Back always closes the panel.
 */
export function useOpenRecord(): (list: string, id: string) => void {
  const router = useRouter()
  return (list, id) => {
    const { pathname, search, state } = router.state.location
    const page = `/crm/${list}`
    const isHere = pathname === page || pathname.startsWith(`${page}/`)
    const isOpen = isHere && pathname !== page
    void router.navigate({
      to: `${page}/${id}`,
      search: isHere ? search : {},
      replace: isOpen,
      resetScroll: false,
      state: { overList: isOpen ? state.overList : isHere },
    } as Parameters<typeof router.navigate>[0])
  }
}

/** Closes the panel over this list: one step back where the list lies behind it, else the list takes its place. */
export function useClosePanel(page: `/crm/${string}`): () => void {
  const router = useRouter()
  return () => {
    const { search, state } = router.state.location
    if (state.overList) return router.history.back()
    const target = { to: page, search, replace: true, resetScroll: false }
    void router.navigate(target as Parameters<typeof router.navigate>[0])
  }
}

interface RecordLinkProps extends ComponentPropsWithRef<'a'> {
  /** The list that has it, as in the address: 'contacts'. */
  table: string
  id: string
  /** Its own id in the page, 'contact-ID', where the panel gives the focus back to it. */
  focusId?: string
}

/** A link to a record's panel; with Ctrl, Cmd or the middle button it opens a tab of its own. */
export function RecordLink({ table, id, focusId, onClick, children, ...rest }: RecordLinkProps) {
  const open = useOpenRecord()
  return (
    <a
      {...rest}
      id={focusId}
      href={`/crm/${table}/${id}`}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        open(table, id)
      }}
    >
      {children}
    </a>
  )
}
