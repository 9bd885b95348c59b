import type { NounScreens } from '#web/crm/noun-screens.ts'
import * as screens from './noun-screens.ts'

export type NounPath = keyof typeof screens

/** The nouns of noun-screens.ts, in alphabetical order. */
export const nouns = Object.entries(screens) as readonly (readonly [NounPath, NounScreens])[]
