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

/** The class that gives everything inside the stage's colours: text-tone, bg-tone-dot, bg-tone-soft. */
export function toneClass(tone: Tone): string {
  return `tone-${tone}`
}
