import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus in a dialog whose content is replaced, because that removes the focused element. Returns the ref for the element around the content.
 * When `shown`, which says what the content is, changes, focuses the element of the new content that has `data-autofocus`.
 */
export function useContentFocus(shown: string): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null)
  const shownBefore = useRef(shown)
  useEffect(() => {
    if (shown === shownBefore.current) return
    shownBefore.current = shown
    content.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
  }, [shown])
  return content
}
