import { type ComponentType, createElement, lazy, type ReactNode, useEffect, useState } from 'react'

/** After this time a part that could not be loaded is tried again (ms); and at once when the network is back. */
const againMs = 5000

/**
 * A part of a page whose code is fetched when it is first shown. Where the code cannot be loaded, the page shows nothing, or `instead`, in its
 * place, and tries again as long as the part is wanted.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: (props: Props) => ReactNode = () => null,
) {
  return lazy(async () => ({ default: await load().catch(() => latePart(load, instead)) }))
}

function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: (props: Props) => ReactNode,
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
      const timer = setInterval(tryAgain, againMs)
      addEventListener('online', tryAgain)
      return () => {
        clearInterval(timer)
        removeEventListener('online', tryAgain)
      }
    }, [part])
    return part ? createElement(part, props) : instead(props)
  }
}
