import type { ComponentType } from 'react'
import type { PageData } from './declared-pages.ts'
import { type RouteMatch, matchRoute, type Params, type Redirect, type Route } from './match-route.ts'
import { locationOf, type PageLocation, withSearch } from './page-location.ts'

export interface Routes {
  pages: readonly Route[]
  /** Shown for a URL without a page, without a frame. */
  notFound: Route
}

/** The shown page of a location: each frame and the page in it, the outermost first. */
export interface ShownPage {
  location: PageLocation
  params: Params
  parts: readonly PagePart[]
}

export interface PagePart {
  route: Route
  /** Null if the code or the data could not be loaded. */
  Component: ComponentType | null
  data: PageData
  loadedFor: string | undefined
}

/** Returns the location with the search parameters that its page reads. */
export function tidied(routes: Routes, location: PageLocation): PageLocation {
  const chain = matchRoute(routes.pages, location.pathname)?.chain ?? []
  const reader = chain.find(({ search }) => search)?.search
  return reader ? withSearch(location, { ...location.search, ...reader(location.search) }) : location
}

/**
 * Calls the guards, then loads code and data. Returns the redirect of a guard, or null when `isOvertaken`, after which no further guard is called.
 * `shown`: the page that is shown now. Its data is reused.
 */
export async function loadPage(
  routes: Routes,
  location: PageLocation,
  shown: ShownPage | null,
  isOvertaken: () => boolean,
): Promise<ShownPage | Redirect | null> {
  const match = matchRoute(routes.pages, location.pathname)
  const decision = match ? await runGuards(match, location, isOvertaken) : 'not-found'
  if (decision === 'overtaken') return null
  if (decision !== undefined && decision !== 'not-found') return decision
  const { chain, params } = match && !decision ? match : { chain: [routes.notFound], params: {} }
  const parts = await Promise.all(chain.map((route) => loadPart(route, location, loadedPart(route, location, shown))))
  return isOvertaken() ? null : { location, params, parts }
}

/** Returns the error page, without a frame, for a failing guard. */
export function brokenPage(routes: Routes, location: PageLocation, error: unknown): ShownPage {
  console.error(error)
  return { location, params: {}, parts: [{ route: routes.notFound, Component: null, data: {}, loadedFor: undefined }] }
}

/** Fetches the code and data for a click on a link to this URL. Calls no guard and shows nothing. The click handles failures. */
export function preloadPage(routes: Routes, address: string, shown: ShownPage | null): void {
  const location = locationOf(address)
  for (const route of matchRoute(routes.pages, location.pathname)?.chain ?? []) {
    if (loadedPart(route, location, shown)) continue
    route.page?.().catch(() => {})
    route.load?.(location).catch(() => {})
  }
}

/** Returns a part that is already shown, if its data also fits this location. */
function loadedPart(route: Route, location: PageLocation, shown: ShownPage | null): PagePart | undefined {
  return shown?.parts.find(
    (part) => part.route === route && part.Component && part.loadedFor === route.loadsFor?.(location),
  )
}

async function runGuards({ chain, params }: RouteMatch, location: PageLocation, isOvertaken: () => boolean) {
  for (const { guard } of chain) {
    const decision = await guard?.(location, params)
    if (isOvertaken()) return 'overtaken'
    if (decision) return decision
  }
  return undefined
}

async function loadPart(route: Route, location: PageLocation, loaded: PagePart | undefined): Promise<PagePart> {
  const loadedFor = route.loadsFor?.(location)
  try {
    const [Component = null, data] = await Promise.all([route.page?.(), loaded ? loaded.data : route.load?.(location)])
    return { route, Component, data: data ?? {}, loadedFor }
  } catch (error) {
    console.error(error)
    return { route, Component: null, data: {}, loadedFor }
  }
}
