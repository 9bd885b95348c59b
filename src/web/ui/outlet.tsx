import { createContext, createElement, Suspense, useContext, useLayoutEffect, useMemo } from 'react'
import type { AppRouter } from '#web/lib/routing/app-router.ts'
import { RouterContext, useShownPage } from '#web/lib/routing/use-router.ts'
import { BrokenPart, ErrorBoundary } from './error-boundary.tsx'

/** The number of frames around a component. A frame is a page with an Outlet, in which other pages are shown. */
const FrameCount = createContext(0)

/** Renders the pages that the router shows. Render it when the first page can be shown. */
export function RouterPages({ router }: { router: AppRouter }) {
  return (
    <RouterContext value={router}>
      <Suspense>
        <Outlet />
      </Suspense>
      <ScrollRestorer router={router} />
    </RouterContext>
  )
}

/** Restores scroll positions. It is rendered after the page, whose elements must exist by then. */
function ScrollRestorer({ router }: { router: AppRouter }) {
  const { location } = useShownPage()
  useLayoutEffect(() => router.scroll.arrive(location), [router, location])
  return null
}

/** The place in a frame where its page is shown. Empty if the URL names only the frame. */
export function Outlet() {
  const depth = useContext(FrameCount)
  const part = useShownPage().parts[depth]
  const Component = part?.Component
  // The page is memoised, so that a frame is not rendered again when another page is shown in it.
  const page = useMemo(() => (Component ? createElement(Component) : <BrokenPart />), [Component])
  if (!part) return null
  return (
    <ErrorBoundary resetKey={part}>
      <FrameCount value={depth + 1}>{page}</FrameCount>
    </ErrorBoundary>
  )
}
