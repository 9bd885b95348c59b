import type { DealStage } from '#web/data/server/rows.ts'

export type Tone = 'neutral' | 'incoming' | 'qualified' | 'proposal' | 'verbal' | 'won' | 'lost'

const tonesByWord: readonly (readonly [string, Tone])[] = [
  ['incoming', 'incoming'],
  ['qualified', 'qualified'],
  ['proposal', 'proposal'],
  ['verbal', 'verbal'],
  ['yes', 'verbal'],
  ['won', 'won'],
  ['lost', 'lost'],
]

/**
 * Returns the tone of a stage: the tone of the first word in `tonesByWord` that the stage's name contains (case-insensitive). If the name contains no
 * such word, the tone is neutral (spec section 2, /crm/deals).
 */
export function stageTone(name: string): Tone {
  const lowerName = name.toLowerCase()
  return tonesByWord.find(([word]) => lowerName.includes(word))?.[1] ?? 'neutral'
}

/** The properties of a stage that decide its colours. */
export type ColouredStage = Pick<DealStage, 'name'> & Partial<Pick<DealStage, 'color'>>

/** Returns the CSS class that sets a stage's colours for text-tone, bg-tone-dot and bg-tone-soft inside an element. */
export function stageToneClass({ name, color }: ColouredStage): string {
  return `tone-${color ?? stageTone(name)}`
}
