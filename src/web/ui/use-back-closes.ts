import { useEffect, useEffectEvent } from 'react'

/** While `open`, the browser's Back closes this dialog, sheet or menu instead of leaving the page. */
export function useBackCloses(open: boolean, close: () => void): void {
  const back = useEffectEvent(close)
  useEffect(() => {
    if (!open) return
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
  }, [open])
}
