import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'

/**
 * Scrolls a form to the middle of its panel each time `requests` increases, and focuses its text field if `withFocus`. Runs before the
 * browser paints, because a phone opens the keyboard only while a tap is being handled.
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
