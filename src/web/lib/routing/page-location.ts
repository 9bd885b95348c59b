import type { PageState } from './declared-pages.ts'
import { readSearch, type SearchValues, writeSearch } from './search-format.ts'

/** An address of the app with what its entry of the history keeps. */
export interface PageLocation {
  /** Path, search and hash, as the browser's address has them. */
  address: string
  /** Decoded. */
  pathname: string
  search: SearchValues
  /** Decoded, without '#'. */
  hash: string
  state: PageState
  /** Of the entry: each visit has another one, and a reload keeps it. */
  key: string
}

/** Reads an address of this origin; of another one only the path, search and hash count. */
export function locationOf(address: string, state: PageState = {}, key = newKey()): PageLocation {
  const { pathname, search, hash } = new URL(address, 'http://inside.invalid')
  return {
    address: pathname + search + hash,
    pathname: decoded(pathname),
    search: readSearch(search),
    hash: decoded(hash.slice(1)),
    state,
    key,
  }
}

/** The same page with other search parameters. */
export function withSearch(location: PageLocation, search: SearchValues): PageLocation {
  const { pathname, hash } = new URL(location.address, 'http://inside.invalid')
  return { ...location, address: pathname + writeSearch(search) + hash, search }
}

/** The location of the entry that the browser is at. `key` is '' for an entry that the app did not write, as after a change in the address bar. */
export function readEntry(): PageLocation {
  // Entries of dialogs count `layers` (ui/back-layers.ts): they are of the same page.
  const { key = '', layers: _, ...state }: PageState & { key?: string; layers?: number } = Object(history.state)
  return locationOf(location.pathname + location.search + location.hash, state, key)
}

/** Pushes an entry of the history, or replaces the present one. */
export function writeEntry({ address, state, key }: PageLocation, isReplacing: boolean): void {
  const entry = { ...state, key }
  if (isReplacing) history.replaceState(entry, '', address)
  else history.pushState(entry, '', address)
}

/** A key for a new entry. */
export function newKey(): string {
  return Math.random().toString(36).slice(2)
}

function decoded(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}
