import { useEffectEvent, useLayoutEffect } from 'react'

/** A pause of this length ends the typing of a person whose text field was removed (ms). */
const restMs = 1500

/**
 * Runs an action when the person presses a key, wherever the focus is. Does nothing while the person types, or while a menu or a dialog is
 * open. If the text field is removed while the person types, for example because a colleague has deleted the record, the keys that follow
 * without a pause do nothing.
 */
export function useShortcut(key: string, run: () => void): void {
  const act = useEffectEvent(run)
  // A layout effect, so that the key works as soon as the page is painted.
  useLayoutEffect(() => {
    let typedIn: HTMLElement | null = null
    let lastKeyAt = 0
    const onAnyKey = ({ target, key: pressed, timeStamp, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (isTyping(target)) {
        // The person may press these keys to close the field. After another key, a field closes for another reason.
        const mayClose =
          /^(Enter|Escape|Tab)$/.test(pressed) || ctrlKey || metaKey || altKey || !target.matches('input, textarea')
        typedIn = mayClose ? null : target
        lastKeyAt = timeStamp
        return
      }
      if (typedIn?.isConnected || timeStamp - lastKeyAt > restMs) typedIn = null
      lastKeyAt = timeStamp
    }
    const onPointerDown = () => {
      typedIn = null
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (typedIn && !isTyping(event.target)) return
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || document.querySelector('[data-modal-layer]')) return
      event.preventDefault()
      act()
    }
    const endController = new AbortController()
    document.addEventListener('keydown', onAnyKey, { capture: true, signal: endController.signal })
    document.addEventListener('pointerdown', onPointerDown, { capture: true, signal: endController.signal })
    document.addEventListener('keydown', onKeyDown, { signal: endController.signal })
    return () => endController.abort()
  }, [key])
}

/** Whether an element needs the pressed keys itself: a text field, a select or an item of a menu. */
export function isTyping(target: EventTarget | null): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox]), textarea, select, [role^=menuitem], [role=combobox]')
  )
}
