import { hashOf, hueAt, hues, hueVariable } from './initials.ts'

/**
 * Returns the hue of each name in a team, by CSS variable (`hueVariable`). All names have different hues while unused hues are left. After that all
 * hues are used equally often. `names` are in the order of joining, so that a new member does not change the hues of others. Each name has its own
 * hue (`hueOf`) if that hue is unused.
 */
export function teamHues(names: readonly string[]): ReadonlyMap<string, number> {
  const assignedHues = new Map<string, number>()
  let unusedHues = new Set<number>()
  for (const name of names) {
    if (assignedHues.has(hueVariable(name))) continue
    if (unusedHues.size === 0) unusedHues = new Set(hues)
    let hueIndex = hashOf(name)
    // Steps of three reach each of the ten hues, and neighbours in that order look different.
    while (!unusedHues.delete(hueAt(hueIndex))) hueIndex += 3
    assignedHues.set(hueVariable(name), hueAt(hueIndex))
  }
  return assignedHues
}

/** Gives the avatars of a team their hues, by setting CSS variables. */
export function setTeamHues(names: readonly string[]): void {
  for (const [variable, hue] of teamHues(names)) document.documentElement.style.setProperty(variable, `${hue}`)
}
