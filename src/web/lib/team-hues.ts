import { hashOf, hueAt, hues, hueVariable } from './initials.ts'

/**
 * Returns the hue of each name in a team, by CSS variable (`hueVariable`). All names have different hues while unused hues are left. After that all
 * hues are used equally often. `names` are in the order of joining, so that a new member does not change the hues of others. Each name has its own
 * hue (`hueOf`) if that hue is unused.
 */
export function teamHues(names: readonly string[]): ReadonlyMap<string, number> {
  const given = new Map<string, number>()
  let free = new Set<number>()
  for (const name of names) {
    if (given.has(hueVariable(name))) continue
    if (free.size === 0) free = new Set(hues)
    let at = hashOf(name)
    // Steps of three reach each of the ten hues, and neighbours in that order look different.
    while (!free.delete(hueAt(at))) at += 3
    given.set(hueVariable(name), hueAt(at))
  }
  return given
}

/** Gives the avatars of a team their hues, by setting CSS variables. */
export function setTeamHues(names: readonly string[]): void {
  for (const [variable, hue] of teamHues(names)) document.documentElement.style.setProperty(variable, `${hue}`)
}
