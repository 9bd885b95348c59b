import { type RefObject, useLayoutEffect, useState } from 'react'
import { giveFocus } from './focus.ts'

const FIELDS =
  'input:not([type=hidden]):not(:disabled), textarea:not(:disabled), select:not(:disabled), [role=combobox]'
const stack: HTMLElement[] = []

/**
 * Makes a panel modal while `active`: everything of the app behind it and every lower modal is `inert` (which keeps the focus inside
 * without a trap), the focus moves in, and returns when it ends. Toasts and live regions stand beside the app's root and stay alive:
 * that is why this is no native <dialog>, whose showModal() would make them inert too.
 */
export function useModal(panel: RefObject<HTMLElement | null>, active: boolean): void {
  // Read while rendering: a field with autoFocus has the focus before any effect runs.
  const [before] = useState(() => document.activeElement)
  useLayoutEffect(() => {
    const element = panel.current
    const layer = element?.closest<HTMLElement>('[data-modal-layer]')
    if (!active || !element || !layer) return
    stack.push(layer)
    refresh()
    const first = element.querySelector<HTMLElement>('[data-autofocus]') ?? element.querySelector<HTMLElement>(FIELDS)
    giveFocus(first ?? element)
    return () => {
      stack.splice(stack.indexOf(layer), 1)
      refresh()
      giveFocus(before)
    }
  }, [panel, active, before])
}

/** True while a modal is open: page-wide shortcuts are silent then. */
export function modalOpen(): boolean {
  return stack.length > 0
}

function refresh(): void {
  document.getElementById('root')?.toggleAttribute('inert', stack.length > 0)
  stack.forEach((layer, index) => {
    layer.toggleAttribute('inert', index < stack.length - 1)
  })
}
