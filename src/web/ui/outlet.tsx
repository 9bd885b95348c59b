import { createContext, createElement, Suspense, useContext, useLayoutEffect, useMemo } from 'react'
import type { AppRouter } from '#web/lib/routing/app-router.ts'
import { RouterContext, useShownPage } from '#web/lib/routing/use-router.ts'
import { Broken, ErrorBoundary } from './error-boundary.tsx'

/** How many frames are around a component. */
const FrameCount = createContext(0)

/** The screens of the app: what the router shows. Render it when the first page can be shown. */
export function Screens({ router }: { router: AppRouter }) {
  return (
    <RouterContext value={router}>
      <Suspense>
        <Outlet />
      </Suspense>
      <Arrival router={router} />
    </RouterContext>
  )
}

/** After the page, whose elements are scrolled to where they were left. */
function Arrival({ router }: { router: AppRouter }) {
  const { location } = useShownPage()
  useLayoutEffect(() => router.scroll.arrive(location), [router, location])
  return null
}

/** The place in a frame where its page is shown; empty where the address names only the frame. */
export function Outlet() {
  const depth = useContext(FrameCount)
  const part = useShownPage().parts[depth]
  const Component = part?.Component
  // The same element: a frame is not rendered again when another page is shown in it.
  const page = useMemo(() => (Component ? createElement(Component) : <Broken />), [Component])
  if (!part) return null
  return (
    <ErrorBoundary resetKey={part}>
      <FrameCount value={depth + 1}>{page}</FrameCount>
    </ErrorBoundary>
  )
}
