import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'

/**
 * Each time `requests` increases, scrolls a form to the middle of its panel and, if `withFocus`, focuses the form's text field. Runs before the
 * browser paints, because a phone opens the keyboard only while a tap is being handled.
 */
export function useFocusOnRequest(form: RefObject<HTMLElement | null>, requests: number, withFocus: boolean): void {
  const scrollAndFocus = useEffectEvent(() => {
    if (withFocus) form.current?.querySelector('textarea')?.focus({ preventScroll: true })
    form.current?.scrollIntoView({ block: 'center' })
  })
  useLayoutEffect(() => {
    if (requests > 0) scrollAndFocus()
  }, [requests])
}
