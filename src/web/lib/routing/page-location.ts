import type { PageState } from './declared-pages.ts'
import { readSearch, type SearchValues, writeSearch } from './search-format.ts'

/** A URL of the app with the state of its history entry. */
export interface PageLocation {
  /** The path, search and hash of the URL, as the browser shows them. */
  address: string
  /** The path, decoded. */
  pathname: string
  search: SearchValues
  /** The hash, decoded and without '#'. */
  hash: string
  state: PageState
  /** The key of the entry in the browser's history. Each new entry has another key. A reload, and Back to the entry, keep its key. */
  key: string
}

/** Parses a URL of this origin. Of a URL of another origin, only the path, search and hash are used. */
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

/** Returns the location with other search parameters, also in its URL. */
export function withSearch(location: PageLocation, search: SearchValues): PageLocation {
  const { pathname, hash } = new URL(location.address, 'http://inside.invalid')
  return { ...location, address: pathname + writeSearch(search) + hash, search }
}

/**
 * Reads the location from the current entry of the browser's history. `key` is '' if the app did not write the entry, for example after the
 * person has changed the URL in the address bar.
 */
export function readEntry(): PageLocation {
  // The state of a dialog's entry has the number of `layers` (ui/back-layers.ts). Such an entry belongs to the same page.
  const { key = '', layers: _, ...state }: PageState & { key?: string; layers?: number } = Object(history.state)
  return locationOf(location.pathname + location.search + location.hash, state, key)
}

/** Writes a location into the browser's history: as a new entry, or in place of the current entry. */
export function writeEntry({ address, state, key }: PageLocation, isReplacing: boolean): void {
  const entry = { ...state, key }
  if (isReplacing) history.replaceState(entry, '', address)
  else history.pushState(entry, '', address)
}

/** Returns a key for a new entry of the browser's history. */
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
