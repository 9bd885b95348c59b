/**
 * Returns how many rows of this height (px) the window shows at most. A list renders them at once: otherwise it renders nothing, measures its own
 * height, and then renders again.
 */
export function rowsOnScreen(height: number): number {
  return Math.ceil(innerHeight / height)
}
