import type { PagePath, Pages, PageState } from './declared-pages.ts'
import { writeSearch } from './search-format.ts'

/** The page of the app to which a link or a redirect leads. */
export interface Target<Path extends PagePath = PagePath> {
  to: Path
  search?: Pages[Path] | undefined
  /** The hash of the URL, without '#'. */
  hash?: string | undefined
}

/** Options for opening a URL of the app. */
export interface OpenOptions {
  /** True if the URL replaces the current entry in the browser's history. */
  replace?: boolean | undefined
  state?: PageState | undefined
}

/** Returns the URL of a page: '/crm/tasks?mine=1#note-1'. */
export function addressOf<Path extends PagePath>({ to, search, hash }: Target<Path>): string {
  return `${to}${writeSearch({ ...search })}${hash ? `#${hash}` : ''}`
}
