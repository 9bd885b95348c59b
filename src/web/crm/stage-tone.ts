export type Tone = 'neutral' | 'incoming' | 'qualified' | 'proposal' | 'verbal' | 'won' | 'lost'

const WORDS: readonly (readonly [string, Tone])[] = [
  ['incoming', 'incoming'],
  ['qualified', 'qualified'],
  ['proposal', 'proposal'],
  ['verbal', 'verbal'],
  ['yes', 'verbal'],
  ['won', 'won'],
  ['lost', 'lost'],
]

/** The colour of a stage by a word in its name, without regard to case; otherwise neutral (spec section 2, /crm/deals). */
export function stageTone(name: string): Tone {
  const words = name.toLowerCase()
  return WORDS.find(([word]) => words.includes(word))?.[1] ?? 'neutral'
}

/** The class with the colours of a stage for everything inside: text-tone, bg-tone-dot, bg-tone-soft. */
export function stageToneClass(name: string): string {
  return `tone-${stageTone(name)}`
}
