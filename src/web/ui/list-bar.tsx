import type { ReactNode } from 'react'
import { SearchInput } from './search-input.tsx'

export interface ListBarProps {
  search: string
  onSearch: (search: string) => void
  /** The field's placeholder and name: 'Search contacts...'. */
  label: string
  pending?: boolean
  /** '1,284 contacts'; null while unknown. */
  count: ReactNode | null
  /** The server did not answer: only rows on this device are listed. */
  partial?: boolean
  /** Shown beside the search: 'Mine', the order. */
  children?: ReactNode
  /** Shown on the phone at the end of the line with the number: 'Select'. */
  aside?: ReactNode
}

/** The bar over a list: the search and the number of rows, which is announced when it changes. */
export function ListBar({ search, onSearch, label, pending, count, partial, children, aside }: ListBarProps) {
  return (
    <div className="flex items-center gap-2 max-sm:flex-wrap max-sm:gap-y-3">
      <SearchInput
        value={search}
        onChange={onSearch}
        label={label}
        pending={pending}
        className="w-70 min-w-0 max-sm:w-auto max-sm:flex-1"
      />
      {children}
      <div className="ml-auto flex shrink-0 items-center pl-2 max-sm:ml-0 max-sm:basis-full max-sm:pl-0">
        <p role="status" className="num min-h-lh flex-1 text-sm text-ink3">
          {count}
          {count !== null && partial && <span className="text-warn"> on this device</span>}
        </p>
        {aside}
      </div>
    </div>
  )
}
