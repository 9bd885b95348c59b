import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { isComposing } from '#web/lib/is-composing.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { giveFocus, isFocusLost, returnFocus } from './focus.ts'
import { keepFocusInside } from './keep-focus.ts'

interface PanelFocus {
  panel: RefObject<HTMLElement | null>
  /** The id of the panel's content. When it changes, the panel gets the focus again. */
  contentKey: string
  /** The id of the element that gets the focus when the panel closes. */
  returnTo: string
  onClose: () => void
}

/**
 * Manages the focus of a panel: the focus moves into the panel when the panel opens, and to `returnTo` when the panel closes. If the
 * focused element is removed, for example because a colleague has deleted the record, the panel itself gets the focus. Escape closes the panel
 * wherever the focus is, unless another listener has called preventDefault or the key belongs to an input method. On the phone the panel covers the
 * page, so the page is inert.
 */
export function usePanelFocus({ panel, contentKey, returnTo, onClose }: PanelFocus): void {
  const focusedBefore = useRef<Element | null>(null)
  const returnId = useRef(returnTo)
  const coversPage = useNarrow()
  useLayoutEffect(() => {
    returnId.current = returnTo
  }, [returnTo])

  useLayoutEffect(() => {
    const element = panel.current
    if (!coversPage || !element) return
    return coverPage(element)
  }, [panel, coversPage])

  useLayoutEffect(() => {
    const element = panel.current
    if (!element || !contentKey || element.contains(document.activeElement)) return
    focusedBefore.current = document.activeElement
    giveFocus(element)
  }, [panel, contentKey])

  useLayoutEffect(() => (panel.current ? keepFocusInside(panel.current) : undefined), [panel])

  useLayoutEffect(() => {
    const element = panel.current
    return () => {
      if (!element || !(isFocusLost() || element.contains(document.activeElement))) return
      returnFocus(returnId.current, [focusedBefore.current, document.getElementById('main')])
    }
  }, [panel])

  const onEscape = useEffectEvent(onClose)
  // A layout effect, so that no key is lost between the first paint of the panel and its effects.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return
      if (document.querySelector('[data-modal-layer]')) return
      onEscape()
    }
    // The listener is on `window`, so that it runs after the document's listeners. If Escape cancels a drag, its default is already
    // prevented by then.
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/**
 * Makes the siblings of the panel and of its ancestors inert, up to the app's root, except those with `data-stays`. Returns the function
 * that reverts this.
 */
function coverPage(panel: HTMLElement): () => void {
  const covered: Element[] = []
  for (
    let element: HTMLElement = panel;
    element.id !== 'root' && element.parentElement;
    element = element.parentElement
  ) {
    for (const sibling of element.parentElement.children) {
      if (sibling === element || sibling.hasAttribute('inert') || sibling.matches('[data-stays]')) continue
      sibling.setAttribute('inert', '')
      covered.push(sibling)
    }
  }
  return () => {
    for (const element of covered) element.removeAttribute('inert')
  }
}
