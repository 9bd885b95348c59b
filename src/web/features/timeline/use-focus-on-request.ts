import { type RefObject, useLayoutEffect } from 'react'

/**
 * Gives the text field of a form the focus, and brings the form into the middle of its panel, each time that `requests` has grown. Before the browser
 * paints: on a phone the keyboard comes only while a tap is handled.
 */
export function useFocusOnRequest(box: RefObject<HTMLElement | null>, requests: number): void {
  useLayoutEffect(() => {
    if (requests === 0) return
    box.current?.querySelector('textarea')?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'center' })
  }, [box, requests])
}
