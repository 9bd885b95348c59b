import { type ComponentType, createElement, lazy, type ReactNode, useEffect, useState } from 'react'

/** Interval at which loading is tried again after a failure (ms). When the network is back, loading is tried at once. */
const retryMs = 5000

/**
 * Returns a component whose code is loaded when it is first shown. While the code cannot be loaded, it shows nothing (or `fallback`), and tries to
 * load again as long as it is mounted.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: (props: Props) => ReactNode = () => null,
) {
  return lazy(async () => ({ default: await load().catch(() => retryingComponent(load, fallback)) }))
}

function retryingComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: (props: Props) => ReactNode,
): ComponentType<Props> {
  return function LateComponent(props) {
    const [loaded, setLoaded] = useState<ComponentType<Props> | null>(null)
    useEffect(() => {
      if (loaded) return
      const tryAgain = () =>
        void load().then(
          (component) => setLoaded(() => component),
          () => {},
        )
      tryAgain()
      const timer = setInterval(tryAgain, retryMs)
      addEventListener('online', tryAgain)
      return () => {
        clearInterval(timer)
        removeEventListener('online', tryAgain)
      }
    }, [loaded])
    return loaded ? createElement(loaded, props) : fallback(props)
  }
}
