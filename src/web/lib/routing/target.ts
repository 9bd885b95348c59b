import type { PagePath, Pages, PageState } from './declared-pages.ts'
import { writeSearch } from './search-format.ts'

/** The target of a link or a redirect: a page of the app. */
export interface Target<Path extends PagePath = PagePath> {
  to: Path
  search?: Pages[Path] | undefined
  /** Without '#'. */
  hash?: string | undefined
}

/** Options for opening a URL. */
export interface OpenOptions {
  /** True to replace the present history entry. */
  replace?: boolean | undefined
  state?: PageState | undefined
}

/** Returns the URL of a target: '/crm/tasks?mine=1#note-1'. */
export function addressOf<Path extends PagePath>({ to, search, hash }: Target<Path>): string {
  return `${to}${writeSearch({ ...search })}${hash ? `#${hash}` : ''}`
}
