import type { NounScreens } from '#web/crm/noun-screens.ts'
import * as screens from './noun-screens.ts'

/** A name of noun-screens.ts, such as `tasks`: the table of the noun, and the segment of its URL after /crm. */
export type NounTable = keyof typeof screens

/** The nouns of noun-screens.ts, in alphabetical order. */
export const nouns = Object.entries(screens) as readonly (readonly [NounTable, NounScreens])[]
