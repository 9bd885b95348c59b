import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'

/**
 * Brings a form into the middle of its panel, and gives its text field the focus if `withFocus`, each time that `requests` has grown. Before the
 * browser paints: on a phone the keyboard comes only while a tap is handled.
 */
export function useFocusOnRequest(box: RefObject<HTMLElement | null>, requests: number, withFocus: boolean): void {
  const lead = useEffectEvent(() => {
    if (withFocus) box.current?.querySelector('textarea')?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: 'center' })
  })
  useLayoutEffect(() => {
    if (requests > 0) lead()
  }, [requests])
}
