import { type RefObject, useLayoutEffect, useState } from 'react'
import { giveFocus } from './focus.ts'

const FIELDS =
  'input:not([type=hidden]):not(:disabled), textarea:not(:disabled), select:not(:disabled), [role=combobox]'
const stack: HTMLElement[] = []

/**
 * Makes a panel modal while `active`: the app behind it and every lower modal are `inert` (which keeps the focus inside without a trap),
 * the focus moves in, and returns at the end. Toasts and live regions are outside of the app's root and stay active. A native <dialog>
 * would make them inert, too.
 */
export function useModal(panel: RefObject<HTMLElement | null>, active: boolean): void {
  // Read while rendering: a field with autoFocus gets the focus before any effect runs.
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

/** True while a modal is open: shortcuts of the page are off then. */
export function modalOpen(): boolean {
  return stack.length > 0
}

function refresh(): void {
  document.getElementById('root')?.toggleAttribute('inert', stack.length > 0)
  stack.forEach((layer, index) => {
    layer.toggleAttribute('inert', index < stack.length - 1)
  })
}
