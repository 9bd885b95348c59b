import { createContext, useContext, useSyncExternalStore } from 'react'
import type { AppRouter } from './app-router.ts'
import type { PageData } from './declared-pages.ts'
import type { ShownPage } from './load-page.ts'
import type { Params } from './match-route.ts'
import type { PageLocation } from './page-location.ts'

export const RouterContext = createContext<AppRouter | null>(null)

/** Returns the router. Changes in it do not render the component again. */
export function useRouter(): AppRouter {
  const router = useContext(RouterContext)
  if (!router) throw new Error('There is no router around this component.')
  return router
}

/** Returns the function that goes to a page. */
export function useNavigate(): AppRouter['navigate'] {
  return useRouter().navigate
}

/** Returns the painted page. */
export function useShownPage(): ShownPage {
  const router = useRouter()
  const shown = useSyncExternalStore(router.subscribe, () => router.shown)
  if (!shown) throw new Error('No page is shown yet.')
  return shown
}

/** Returns the location of the painted page. `useRouter().requested` is the location of the next page while that loads. */
export function useShownLocation(): PageLocation {
  return useShownPage().location
}

/** Returns the parameters in the path of the painted page. */
export function useParams(): Params {
  return useShownPage().params
}

/** Returns the data that the routes loaded for the painted page. */
export function usePageData(): PageData {
  return Object.assign({}, ...useShownPage().parts.map(({ data }) => data))
}
