import type { PagePath, Pages, PageState } from './declared-pages.ts'
import { writeSearch } from './search-format.ts'

/** A page of the app, as a link or a redirect names it. */
export interface Target<Path extends PagePath = PagePath> {
  to: Path
  search?: Pages[Path] | undefined
  /** Without '#'. */
  hash?: string | undefined
}

/** How to open an address. */
export interface Opening {
  /** The entry of the history takes the place of the present one. */
  replace?: boolean | undefined
  state?: PageState | undefined
}

/** '/crm/tasks?mine=1#note-1' */
export function addressOf<Path extends PagePath>({ to, search, hash }: Target<Path>): string {
  return `${to}${writeSearch({ ...search })}${hash ? `#${hash}` : ''}`
}
