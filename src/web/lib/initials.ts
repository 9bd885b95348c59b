import type { CSSProperties } from 'react'

/** The hues of avatars and tiles. */
export const hues = [25, 55, 85, 120, 160, 205, 240, 270, 305, 340]

/** Returns up to two capital letters, of the first and the last word: 'SP' for 'Siân van der Prosser'. '?' for an unknown name. */
export function initials(name: string | null | undefined): string {
  const words = (name ?? '').split(/[\s._@-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const first = words[0]
  if (!first) return '?'
  const last = words.length > 1 ? words[words.length - 1] : undefined
  return (firstLetter(first) + (last ? firstLetter(last) : '')).toUpperCase()
}

/** Returns the hue of a name's avatar or tile, always the same for one name (case-insensitive). */
export function hueOf(name: string): number {
  return hueAt(hashOf(name))
}

/** Returns the CSS variable with the hue that a team assigns to this name. */
export function hueVariable(name: string): string {
  return `--hue-${hashOf(name)}`
}

/** Returns the hue at an index. The list of hues starts again at its end. */
export function hueAt(index: number): number {
  return hues[index % hues.length] ?? 205
}

/** Returns a whole number for a name, always the same (case-insensitive). */
export function hashOf(name: string): number {
  let hash = 7
  for (const character of name.trim().toLowerCase()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return hash
}

/** A style with the variable that the class `hue` uses. */
interface HueStyle extends CSSProperties {
  '--hue': string
}

/**
 * Returns the style that gives an element of class `hue` the hue of a name: the one that the open brand's team assigns, else the name's
 * own.
 */
export function hueStyle(name: string): HueStyle {
  return { '--hue': `var(${hueVariable(name)}, ${hueOf(name)})` }
}

function firstLetter(word: string): string {
  return word.match(/[\p{L}\p{N}]/u)?.[0] ?? ''
}
