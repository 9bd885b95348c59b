import type { RefObject } from 'react'
import { giveFocus } from '#web/ui/focus.ts'

/** Gives the focus to a field. Selects a text of one line; in a text of several lines, puts the cursor at the end. */
export function focusField(field: RefObject<HTMLElement | null>): void {
  const element = field.current
  giveFocus(element)
  if (element instanceof HTMLInputElement && /^(text|email|tel|url)$/.test(element.type)) element.select()
  if (element instanceof HTMLTextAreaElement) element.setSelectionRange(element.value.length, element.value.length)
}
