import { hashOf, hueAt, hues, hueVariable } from './initials.ts'

/**
 * The hues of a team by `hueVariable`: different for all names while there are hues left, then each as often as the others. `names` are in the
 * order of joining: who joins later changes nobody's hue. Each has its own hue (`hueOf`) where that is free.
 */
export function teamHues(names: readonly string[]): ReadonlyMap<string, number> {
  const given = new Map<string, number>()
  let free = new Set<number>()
  for (const name of names) {
    if (given.has(hueVariable(name))) continue
    if (free.size === 0) free = new Set(hues)
    let at = hashOf(name)
    // Three is prime to ten: it comes by every hue, and the next one is another colour.
    while (!free.delete(hueAt(at))) at += 3
    given.set(hueVariable(name), hueAt(at))
  }
  return given
}

/** Paints the avatars of a team in its hues. */
export function paintTeam(names: readonly string[]): void {
  for (const [variable, hue] of teamHues(names)) document.documentElement.style.setProperty(variable, `${hue}`)
}
