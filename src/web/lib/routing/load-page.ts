import type { ComponentType } from 'react'
import type { PageData } from './declared-pages.ts'
import { type RouteMatch, matchRoute, type Params, type Redirect, type Route } from './match-route.ts'
import { locationOf, type PageLocation, withSearch } from './page-location.ts'

export interface Routes {
  pages: readonly Route[]
  /** The page for a URL that belongs to no other page. It is shown without a frame. */
  notFound: Route
}

/** The page that is shown for a location. `parts` are the frames and the page in them, the outermost first. */
export interface ShownPage {
  location: PageLocation
  params: Params
  parts: readonly PagePart[]
}

export interface PagePart {
  route: Route
  /** The component to render. Null if its code or its data could not be loaded. */
  Component: ComponentType | null
  data: PageData
  /** The value of the route's `loadsFor` for which the data was loaded. */
  loadedFor: string | undefined
}

/**
 * Returns the location with the search parameters as its page reads them. Removes a parameter whose value the page cannot read. Keeps
 * parameters that the page does not know.
 */
export function withReadSearch(routes: Routes, location: PageLocation): PageLocation {
  const chain = matchRoute(routes.pages, location.pathname)?.chain ?? []
  const reader = chain.find(({ search }) => search)?.search
  return reader ? withSearch(location, { ...location.search, ...reader(location.search) }) : location
}

/**
 * Loads the page of a location: calls its guards, then loads its code and data. Returns the redirect if a guard redirects. Returns null if
 * `isOvertaken` returns true, because a later request has replaced this one. Then the remaining guards are not called. `shown` is the page on screen
 * now: its code and data are used again where `loadedPart` finds them. Rejects if a guard rejects.
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

/** Returns the error page, which has no frame. It is shown if a guard fails or if redirects do not end. Logs the error. */
export function brokenPage(routes: Routes, location: PageLocation, error: unknown): ShownPage {
  console.error(error)
  return { location, params: {}, parts: [{ route: routes.notFound, Component: null, data: {}, loadedFor: undefined }] }
}

/**
 * Loads the code and data of the page at this URL before a link to it is pressed. Calls no guard and shows nothing. If loading fails, the
 * press on the link tries again.
 */
export function preloadPage(routes: Routes, address: string, shown: ShownPage | null): void {
  const location = locationOf(address)
  for (const route of matchRoute(routes.pages, location.pathname)?.chain ?? []) {
    if (loadedPart(route, location, shown)) continue
    route.page?.().catch(() => {})
    route.load?.(location).catch(() => {})
  }
}

/**
 * Returns this route's part of the page on screen if it need not be loaded again: it was loaded without an error, and `loadsFor` gives the
 * same value for the new location. Otherwise undefined.
 */
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
