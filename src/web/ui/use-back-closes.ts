import { useEffect, useEffectEvent } from 'react'

type AddBackLayer = typeof import('./back-layers.ts').addBackLayer

/**
 * While `open`, the browser's Back closes this dialog, sheet or menu instead of leaving the page. Pass `addBackLayer` as `add` if that
 * must work from the first moment. Without `add`, the code of `addBackLayer` is loaded when `open` becomes true.
 */
export function useBackCloses(open: boolean, close: () => void, add?: AddBackLayer): void {
  const back = useEffectEvent(close)
  useEffect(() => {
    if (!open) return
    if (add) return add(() => back())
    let end: (() => void) | undefined
    let isOver = false
    // If the code cannot be loaded, Back leaves the page as usual.
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
