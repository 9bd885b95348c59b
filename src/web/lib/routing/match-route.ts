import type { ComponentType } from 'react'
import type { PageData, PageState } from './declared-pages.ts'
import type { PageLocation } from './page-location.ts'
import type { SearchValues } from './search-format.ts'

export type Params = Readonly<Record<string, string>>

/** A redirect to another URL. */
export interface Redirect {
  address: string
  state?: PageState | undefined
}

/** The decision of a guard. Undefined lets the visitor pass. */
export type GuardDecision = Redirect | 'not-found' | undefined

/** A page, or a frame around pages. */
export interface Route {
  /** The full path. A segment that begins with '$' is a parameter. */
  path: string
  /** Called each time before the page is shown, after the guards of the frames around it. Not called when its code is preloaded. */
  guard?: (location: PageLocation, params: Params) => GuardDecision | Promise<GuardDecision>
  /** Reads the search parameters. The URL then gets these values. */
  search?: (values: SearchValues) => object
  /** Loads the code of the page. Absent if the guard always redirects. */
  page?: () => Promise<ComponentType>
  /** Loads the data that the page needs before it is shown. */
  load?: (location: PageLocation) => Promise<PageData | void>
  /** `load` is called again only if this value differs from that of the shown page. */
  loadsFor?: (location: PageLocation) => string | undefined
  /** The pages in this frame. */
  children?: readonly Route[]
}

export interface RouteMatch {
  /** The frames and the page in them, the outermost first. */
  chain: readonly Route[]
  params: Params
}

/** Finds the page of a path, without regard to case and a trailing slash. Null if there is none. */
export function matchRoute(routes: readonly Route[], pathname: string): RouteMatch | null {
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
