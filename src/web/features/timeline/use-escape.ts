import { useEffect, useEffectEvent } from 'react'
import { isComposing } from '#web/lib/is-composing.ts'

/**
 * While `isOn`, Escape calls `end` before the panel handles the key, unless the focused element has handled it, a menu or dialog is open, or an
 * input method is composing text.
 */
export function useEscape(isOn: boolean, end: () => void): void {
  const onEscape = useEffectEvent(end)
  useEffect(() => {
    if (!isOn) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return
      if (document.querySelector('[data-modal-layer]')) return
      event.preventDefault()
      onEscape()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOn])
}
