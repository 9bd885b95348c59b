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

/** What a guard decides about a visit. Undefined lets the visitor pass. */
export type GuardDecision = Redirect | 'not-found' | undefined

/** A page of the app, or a frame around pages. */
export interface Route {
  /** The full path of the page. A segment that begins with '$' is a parameter. */
  path: string
  /**
   * Decides whether the page may be shown. Called before each visit, after the guards of the frames around the page. Not called when the
   * page's code is preloaded.
   */
  guard?: (location: PageLocation, params: Params) => GuardDecision | Promise<GuardDecision>
  /**
   * Reads the search parameters of the URL. The URL then gets the values that the function returns. It loses parameters whose returned
   * value is undefined, and keeps parameters that the function does not return.
   */
  search?: (values: SearchValues) => object
  /** Loads the code of the page. Absent if the guard always redirects to another page. */
  page?: () => Promise<ComponentType>
  /** Loads the data that the page needs before it is shown. */
  load?: (location: PageLocation) => Promise<PageData | void>
  /**
   * Returns a value that tells whether data must be loaded again: while the page stays on screen, `load` is called only if the value
   * changes.
   */
  loadsFor?: (location: PageLocation) => string | undefined
  /** The pages that this frame surrounds. */
  children?: readonly Route[]
}

export interface RouteMatch {
  /** The page and the frames around it, the outermost first. */
  chain: readonly Route[]
  params: Params
}

/** Finds the page for a path. Upper or lower case and a slash at the end make no difference. Null if there is no such page. */
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
  const segmentFits = (name: string, index: number) =>
    name.startsWith('$') ? values[index] : name.toLowerCase() === values[index]?.toLowerCase()
  if (names.length !== values.length || !names.every(segmentFits)) return null
  return Object.fromEntries(
    names.flatMap((name, index) => (name.startsWith('$') ? [[name.slice(1), values[index] ?? '']] : [])),
  )
}

function segmentsOf(path: string): string[] {
  return path.replace(/\/+$/, '').split('/')
}
