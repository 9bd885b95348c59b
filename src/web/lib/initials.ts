import type { CSSProperties } from 'react'

/** The hues that avatars and tiles can have. */
export const hues = [25, 55, 85, 120, 160, 205, 240, 270, 305, 340]

/**
 * Returns the first letter or digit of a name's first and last word, in upper case: 'SP' for 'Siân van der Prosser'. Words end at spaces and at
 * . _ @ and -. Returns '?' if there is no name.
 */
export function initials(name: string | null | undefined): string {
  const words = (name ?? '').split(/[\s._@-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const first = words[0]
  if (!first) return '?'
  const last = words.length > 1 ? words[words.length - 1] : undefined
  return (firstLetter(first) + (last ? firstLetter(last) : '')).toUpperCase()
}

/** Returns the hue for the avatar or tile of a name. The same name always has the same hue, in upper or lower case. */
export function hueOf(name: string): number {
  return hueAt(hashOf(name))
}

/** Returns the name of the CSS variable for the hue that a team assigns to this name. */
export function hueVariable(name: string): string {
  return `--hue-${hashOf(name)}`
}

/** Returns the hue at an index in the list of hues. After the last hue, the list starts again. */
export function hueAt(index: number): number {
  return hues[index % hues.length] ?? 205
}

/** Returns a whole number that depends only on the name, not on upper or lower case or on spaces around it. */
export function hashOf(name: string): number {
  let hash = 7
  for (const character of name.trim().toLowerCase()) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return hash
}

/** A style with the variable that the class `hue` uses. */
interface HueStyle extends CSSProperties {
  '--hue': string
}

/** Returns the style of an element of class `hue`: the hue that the open brand's team assigns to the name, otherwise the name's own hue (`hueOf`). */
export function hueStyle(name: string): HueStyle {
  return { '--hue': `var(${hueVariable(name)}, ${hueOf(name)})` }
}

function firstLetter(word: string): string {
  return word.match(/[\p{L}\p{N}]/u)?.[0] ?? ''
}
