import type { ComponentType } from 'react'
import type { PageData, PageState } from './declared-pages.ts'
import type { PageLocation } from './page-location.ts'
import type { SearchValues } from './search-format.ts'

export type Params = Readonly<Record<string, string>>

/** Leads elsewhere. */
export interface Redirect {
  address: string
  state?: PageState | undefined
}

/** What a guard decides: nothing lets the visitor pass. */
export type Decision = Redirect | 'not-found' | undefined

/** A page, or a frame around pages. */
export interface Route {
  /** From the root on; a segment that begins with '$' is a parameter. */
  path: string
  /** Asked each time that the page is about to be shown, after the guards of the frames around it. Never when its code is preloaded. */
  guard?: (location: PageLocation, params: Params) => Decision | Promise<Decision>
  /** Reads the search parameters; the address has these values then. */
  search?: (values: SearchValues) => object
  /** The code of the page. Absent: the guard leads elsewhere. */
  page?: () => Promise<ComponentType>
  /** What must be there before the page is shown. */
  load?: (location: PageLocation) => Promise<PageData | void>
  /** Loads again only when this is another value than for the page that is shown. */
  loadsFor?: (location: PageLocation) => string | undefined
  /** Pages in this frame. */
  children?: readonly Route[]
}

export interface Match {
  /** The frames and the page in them, the outermost first. */
  chain: readonly Route[]
  params: Params
}

/** Finds the page of a path, without regard to capitals and a slash at the end. Null: there is none. */
export function matchRoute(routes: readonly Route[], pathname: string): Match | null {
  for (const route of routes) {
    const inside = route.children && matchRoute(route.children, pathname)
    if (inside) return { ...inside, chain: [route, ...inside.chain] }
    const params = paramsOf(route.path, pathname)
    if (params) return { chain: [route], params }
  }
  return null
}

function paramsOf(path: string, pathname: string): Params | null {
  const names = segmentsOf(path)
  const values = segmentsOf(pathname)
  const fits = (name: string, at: number) =>
    name.startsWith('$') ? values[at] : name.toLowerCase() === values[at]?.toLowerCase()
  if (names.length !== values.length || !names.every(fits)) return null
  return Object.fromEntries(
    names.flatMap((name, at) => (name.startsWith('$') ? [[name.slice(1), values[at] ?? '']] : [])),
  )
}

function segmentsOf(path: string): string[] {
  return path.replace(/\/+$/, '').split('/')
}
