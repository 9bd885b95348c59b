import { useEffect, useEffectEvent } from 'react'

type AddBackLayer = typeof import('./back-layers.ts').addBackLayer

/**
 * While `open`, the browser's Back closes this dialog, sheet or menu instead of leaving the page. `add`: from the first moment on; without it
 * the code is loaded when it is needed.
 */
export function useBackCloses(open: boolean, close: () => void, add?: AddBackLayer): void {
  const back = useEffectEvent(close)
  useEffect(() => {
    if (!open) return
    if (add) return add(() => back())
    let end: (() => void) | undefined
    let isOver = false
    // Without it Back leaves the page, as everywhere.
    import('./back-layers.ts').then(
      ({ addBackLayer }) => {
        if (!isOver) end = addBackLayer(() => back())
      },
      () => {},
    )
    return () => {
      isOver = true
      end?.()
    }
  }, [open, add])
}
