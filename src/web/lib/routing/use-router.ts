import { createContext, useContext, useSyncExternalStore } from 'react'
import type { AppRouter } from './app-router.ts'
import type { PageData } from './declared-pages.ts'
import type { ShownPage } from './load-page.ts'
import type { Params } from './match-route.ts'
import type { PageLocation } from './page-location.ts'

export const RouterContext = createContext<AppRouter | null>(null)

/** The router of the screens; it does not render the component again. */
export function useRouter(): AppRouter {
  const router = useContext(RouterContext)
  if (!router) throw new Error('There is no router around this component.')
  return router
}

/** Returns the function that leads to a page. */
export function useNavigate(): AppRouter['navigate'] {
  return useRouter().navigate
}

/** What is painted. */
export function useShownPage(): ShownPage {
  const router = useRouter()
  const shown = useSyncExternalStore(router.subscribe, () => router.shown)
  if (!shown) throw new Error('No page is shown yet.')
  return shown
}

/** The location of the page that is painted. While the next one loads, `useRouter().requested` is that one's. */
export function useShownLocation(): PageLocation {
  return useShownPage().location
}

/** The parameters in the path of the page that is painted. */
export function useParams(): Params {
  return useShownPage().params
}

/** What the routes of the page loaded for it. */
export function usePageData(): PageData {
  return Object.assign({}, ...useShownPage().parts.map(({ data }) => data))
}
