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

/** The colour of a stage, found by a word in its name (case-insensitive); otherwise neutral (spec section 2, /crm/deals). */
export function stageTone(name: string): Tone {
  const words = name.toLowerCase()
  return wordsValue.find(([word]) => words.includes(word))?.[1] ?? 'neutral'
}

/** What a stage's colours depend on. */
export type Coloured = Pick<DealStage, 'name'> & Partial<Pick<DealStage, 'color'>>

/** The class that sets a stage's colours for text-tone, bg-tone-dot and bg-tone-soft inside the element. */
export function stageToneClass({ name, color }: Coloured): string {
  return `tone-${color ?? stageTone(name)}`
}
