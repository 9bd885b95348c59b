import type { CSSProperties } from 'react'

/** The hues of avatars and tiles. */
export const hues = [25, 55, 85, 120, 160, 205, 240, 270, 305, 340]

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

/** The CSS variable with the hue that a team gives to this name. */
export function hueVariable(name: string): string {
  return `--hue-${hashOf(name)}`
}

/** The hue at a place of the list, which begins anew at its end. */
export function hueAt(place: number): number {
  return hues[place % hues.length] ?? 205
}

/** A whole number of a name, always the same (case-insensitive). */
export function hashOf(name: string): number {
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
