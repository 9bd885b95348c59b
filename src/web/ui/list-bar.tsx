import type { ReactNode } from 'react'
import { SearchInput } from './search-input.tsx'

export interface ListBarProps {
  search: string
  onSearch: (search: string) => void
  /** The placeholder and the accessible name of the search field: 'Search contacts...'. */
  label: string
  /** True while the results of the search have not arrived. */
  pending?: boolean
  /** The number of rows, '1,284 contacts'. Null while it is unknown. */
  count: ReactNode | null
  /** True if the server is unreachable, so that the list has only the rows on this device. */
  isOnDeviceOnly?: boolean
  /** Shown beside the search field: the filter 'Mine', or the menu that sorts the list. */
  children?: ReactNode
  /** Buttons for the phone, at the end of the line with the number of rows: 'Select'. */
  aside?: ReactNode
}

/** The bar above a list, with the search field and the number of rows. When the number changes, screen readers announce it. */
export function ListBar({ search, onSearch, label, pending, count, isOnDeviceOnly, children, aside }: ListBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:gap-y-3">
      <SearchInput
        value={search}
        onChange={onSearch}
        label={label}
        pending={pending}
        className="max-w-70 min-w-40 flex-1 max-sm:max-w-none max-sm:min-w-28"
      />
      {children}
      <div className="ml-auto flex shrink-0 flex-wrap items-center pl-2 max-sm:ml-0 max-sm:basis-full max-sm:pl-0">
        <p role="status" className="num min-h-lh flex-1 text-sm text-ink3">
          {count}
          {count !== null && isOnDeviceOnly && <span className="text-warn"> on this device</span>}
        </p>
        {aside}
      </div>
    </div>
  )
}
