import { useEffect, useEffectEvent } from 'react'

type AddBackLayer = typeof import('./back-layers.ts').addBackLayer

/**
 * While `open`, the browser's Back closes this dialog, sheet or menu instead of leaving the page. Pass `addBackLayer` as `add` if Back
 * must close it from the first moment. Without `add`, the code of `addBackLayer` is loaded when `open` becomes true.
 */
export function useBackCloses(open: boolean, close: () => void, add?: AddBackLayer): void {
  const closeByBack = useEffectEvent(close)
  useEffect(() => {
    if (!open) return
    if (add) return add(() => closeByBack())
    let end: (() => void) | undefined
    let hasEnded = false
    // If the code cannot be loaded, Back leaves the page as usual.
    import('./back-layers.ts').then(
      ({ addBackLayer }) => {
        if (!hasEnded) end = addBackLayer(() => closeByBack())
      },
      () => {},
    )
    return () => {
      hasEnded = true
      end?.()
    }
  }, [open, add])
}
