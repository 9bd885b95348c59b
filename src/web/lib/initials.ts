import type { CSSProperties } from 'react'

const hues = [25, 55, 85, 120, 160, 205, 240, 270, 305, 340]

/** Up to two capital letters, of the first and the last word; '?' for an unknown name. 'Siân van der Prosser' -> 'SP'. */
export function initials(name: string | null | undefined): string {
  const words = (name ?? '').split(/[\s._@-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const first = words[0]
  if (!first) return '?'
  const last = words.length > 1 ? words[words.length - 1] : undefined
  return (firstLetter(first) + (last ? firstLetter(last) : '')).toUpperCase()
}

/** The hue of a name's avatar or tile, always the same for one name (case-insensitive). */
export function hueOf(name: string): number {
  return hueAt(hashOf(name))
}

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

/** The CSS variable with the hue that a team gives to this name. */
function hueVariable(name: string): string {
  return `--hue-${hashOf(name)}`
}

/** Paints the avatars of a team in its hues. */
export function paintTeam(names: readonly string[]): void {
  for (const [variable, hue] of teamHues(names)) document.documentElement.style.setProperty(variable, `${hue}`)
}

function hueAt(place: number): number {
  return hues[place % hues.length] ?? 205
}

function hashOf(name: string): number {
  let hash = 7
  for (const character of name.trim().toLowerCase()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return hash
}

/** The class `hue` paints with this variable. */
interface HueStyle extends CSSProperties {
  '--hue': string
}

/** The style that gives an element of class `hue` the hue of a name: that which the open brand's team gives to it, else its own. */
export function hueStyle(name: string): HueStyle {
  return { '--hue': `var(${hueVariable(name)}, ${hueOf(name)})` }
}

function firstLetter(word: string): string {
  return word.match(/[\p{L}\p{N}]/u)?.[0] ?? ''
}
