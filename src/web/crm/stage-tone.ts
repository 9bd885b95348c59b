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

/** The colour of a stage, chosen by a word in its name (case-insensitive); neutral if no word matches (spec section 2, /crm/deals). */
export function stageTone(name: string): Tone {
  const words = name.toLowerCase()
  return wordsValue.find(([word]) => words.includes(word))?.[1] ?? 'neutral'
}

/** The properties that a stage's colours depend on. */
export type ColouredStage = Pick<DealStage, 'name'> & Partial<Pick<DealStage, 'color'>>

/** The class that sets a stage's colours for text-tone, bg-tone-dot and bg-tone-soft inside the element. */
export function stageToneClass({ name, color }: ColouredStage): string {
  return `tone-${color ?? stageTone(name)}`
}
