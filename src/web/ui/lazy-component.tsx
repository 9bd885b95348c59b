import { type ComponentType, createElement, lazy, type ReactNode, useEffect, useState } from 'react'

/** Interval at which loading is tried again after a failure (ms). When the network is back, loading is tried at once. */
const retryMs = 5000

/**
 * A part of a page whose code is loaded when the part is first shown. While the code cannot be loaded, nothing (or `fallback`) is shown, and
 * loading is tried again as long as the part is mounted.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: (props: Props) => ReactNode = () => null,
) {
  return lazy(async () => ({ default: await load().catch(() => retryingPart(load, fallback)) }))
}

function retryingPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: (props: Props) => ReactNode,
): ComponentType<Props> {
  return function LatePart(props) {
    const [part, setPart] = useState<ComponentType<Props> | null>(null)
    useEffect(() => {
      if (part) return
      const tryAgain = () =>
        void load().then(
          (loaded) => setPart(() => loaded),
          () => {},
        )
      tryAgain()
      const timer = setInterval(tryAgain, retryMs)
      addEventListener('online', tryAgain)
      return () => {
        clearInterval(timer)
        removeEventListener('online', tryAgain)
      }
    }, [part])
    return part ? createElement(part, props) : fallback(props)
  }
}
