import { type KeyboardEvent, type RefObject, useLayoutEffect, useState } from 'react'
import { giveFocus } from './focus.ts'
import { keepFocusInside } from './keep-focus.ts'

const fieldSelector = 'input, textarea, select, [role=combobox]'
const openLayers: HTMLElement[] = []

/**
 * Makes a panel modal while `active`: the app behind it and all modals below it are `inert`, which keeps the focus inside. The focus moves into the
 * panel, and at the end returns to the element that had it before. If the focused element is removed, the panel itself gets the focus. Toasts and
 * live regions are outside of the app's root and stay active; a native <dialog> would make them inert, too.
 */
export function useModal(panel: RefObject<HTMLElement | null>, active: boolean): void {
  // The focused element is read while rendering, because a field with autoFocus gets the focus before any effect runs.
  const [focusedBefore] = useState(() => document.activeElement)
  useLayoutEffect(() => {
    const element = panel.current
    const layer = element?.closest<HTMLElement>('[data-modal-layer]')
    if (!active || !element || !layer) return
    openLayers.push(layer)
    updateInert()
    const field = tabStops(element).find((stop) => stop.matches(fieldSelector))
    giveFocus(element.querySelector<HTMLElement>('[data-autofocus]') ?? field ?? element)
    const stopKeepingFocus = keepFocusInside(element)
    return () => {
      stopKeepingFocus()
      openLayers.splice(openLayers.indexOf(layer), 1)
      updateInert()
      giveFocus(focusedBefore)
    }
  }, [panel, active, focusedBefore])
}

/**
 * Keeps Tab inside a modal: Tab moves from the last tab stop to the first, and with Shift from the first to the last. While a toast is shown, Tab
 * reaches the toast, too.
 */
export function keepTabInside(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Tab' || document.querySelector('[data-toast]:not(.toast-waits)')) return
  const stops = tabStops(event.currentTarget)
  if (event.shiftKey) stops.reverse()
  const active = document.activeElement
  const isLast = active === stops.at(-1) || (event.shiftKey && active === event.currentTarget)
  if (!isLast) return
  event.preventDefault()
  stops[0]?.focus()
}

function tabStops(panel: HTMLElement): HTMLElement[] {
  const enabled = panel.querySelectorAll<HTMLElement>(':not(:disabled)')
  return [...enabled].filter((element) => element.tabIndex >= 0 && element.getClientRects().length > 0)
}

/** Whether a modal is open. The page's shortcuts do nothing then. */
export function isModalOpen(): boolean {
  return openLayers.length > 0
}

function updateInert(): void {
  document.getElementById('root')?.toggleAttribute('inert', openLayers.length > 0)
  openLayers.forEach((layer, index) => {
    layer.toggleAttribute('inert', index < openLayers.length - 1)
  })
}
