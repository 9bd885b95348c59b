import type { DealStage } from '#web/data/server/rows.ts'

export type Tone = 'neutral' | 'incoming' | 'qualified' | 'proposal' | 'verbal' | 'won' | 'lost'

const wordsValue: readonly (readonly [string, Tone])[] = [
  ['incoming', 'incoming'],
  ['qualified', 'qualified'],
  ['proposal', 'proposal'],
  ['verbal', 'verbal'],
  ['yes', 'verbal'],
  ['won', 'won'],
  ['lost', 'lost'],
]

/**
 * Returns the tone of a stage. A word in the stage's name decides it, in upper or lower case. If no word matches, the tone is neutral (spec
 * section 2, /crm/deals).
 */
export function stageTone(name: string): Tone {
  const words = name.toLowerCase()
  return wordsValue.find(([word]) => words.includes(word))?.[1] ?? 'neutral'
}

/** The properties of a stage that decide its colours. */
export type ColouredStage = Pick<DealStage, 'name'> & Partial<Pick<DealStage, 'color'>>

/** Returns the CSS class that sets a stage's colours for text-tone, bg-tone-dot and bg-tone-soft inside an element. */
export function stageToneClass({ name, color }: ColouredStage): string {
  return `tone-${color ?? stageTone(name)}`
}
