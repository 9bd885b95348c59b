import type { NounScreens } from '#web/crm/noun-screens.ts'
import * as screens from './noun-screens.ts'

export type NounPath = keyof typeof screens

/** The nouns of noun-screens.ts, in the order of the alphabet. */
export const nouns = Object.entries(screens) as readonly (readonly [NounPath, NounScreens])[]
