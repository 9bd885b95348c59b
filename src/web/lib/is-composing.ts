import type { KeyboardEvent } from 'react'

/**
 * Whether the key belongs to an input method, for example Enter that takes its suggestion. In Safari, the key that ends a composition comes after
 * it, with the key code 229.
 */
export function isComposing({ nativeEvent }: KeyboardEvent): boolean {
  return nativeEvent.isComposing || nativeEvent.keyCode === 229
}
