import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus in a dialog whose content is replaced, because replacing it removes the focused element. `contentKey` identifies the content:
 * when it changes, the element of the new content that has `data-autofocus` gets the focus. Returns the ref for the element around the content.
 */
export function useContentFocus(contentKey: string): RefObject<HTMLDivElement | null> {
  const content = useRef<HTMLDivElement>(null)
  const previousKey = useRef(contentKey)
  useEffect(() => {
    if (contentKey === previousKey.current) return
    previousKey.current = contentKey
    content.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
  }, [contentKey])
  return content
}
