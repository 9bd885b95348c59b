import { createContext, useContext, useSyncExternalStore } from 'react'
import type { AppRouter } from './app-router.ts'
import type { PageData } from './declared-pages.ts'
import type { ShownPage } from './load-page.ts'
import type { Params } from './match-route.ts'
import type { PageLocation } from './page-location.ts'

export const RouterContext = createContext<AppRouter | null>(null)

/** Returns the router to a component. The component does not render again when the router changes. */
export function useRouter(): AppRouter {
  const router = useContext(RouterContext)
  if (!router) throw new Error('There is no router around this component.')
  return router
}

/** Returns the router's function that opens a page. */
export function useNavigate(): AppRouter['navigate'] {
  return useRouter().navigate
}

/** Returns the page on screen to a component. */
export function useShownPage(): ShownPage {
  const router = useRouter()
  const shown = useSyncExternalStore(router.subscribe, () => router.shown)
  if (!shown) throw new Error('No page is shown yet.')
  return shown
}

/** Returns the location of the page on screen. `useRouter().requested` can be the location of a page that is still loading. */
export function useShownLocation(): PageLocation {
  return useShownPage().location
}

/** Returns the parameters in the path of the page on screen. */
export function useParams(): Params {
  return useShownPage().params
}

/** Returns the data that was loaded for the page on screen. */
export function usePageData(): PageData {
  return Object.assign({}, ...useShownPage().parts.map(({ data }) => data))
}
