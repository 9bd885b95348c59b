import type { RemoteMove } from '#web/data/remote-moves.ts'

/**
 * Returns moves by colleagues as one sentence: 'Ana moved Acme renewal to Won', 'Ana and Bo moved 4 deals to Won', '3 deals moved while
 * you were away'. If one of the people is unknown, nobody is named. `moves`: one move for each deal, at least one. `away`: the moves were made
 * while the page was hidden or offline; then nobody is named either.
 */
export function moveWords(moves: readonly RemoteMove[], away: boolean): string {
  const [first] = moves
  const dealsText = first && moves.length === 1 ? first.dealName : `${moves.length.toLocaleString('en-GB')} deals`
  const stages = new Set(moves.map(({ stageId }) => stageId))
  const stageText = first && stages.size === 1 ? ` to ${first.stageName}` : ''
  const movers = away ? null : moversOf(moves)
  return movers === null
    ? `${dealsText} moved${stageText}${away ? ' while you were away' : ''}`
    : `${movers} moved ${dealsText}${stageText}`
}

function moversOf(moves: readonly RemoteMove[]): string | null {
  const names = new Map<string, string>()
  for (const { mover } of moves) {
    if (!mover) return null
    names.set(mover.userId, mover.shortName)
  }
  const [firstName, secondName] = names.values()
  if (names.size > 2) return `${firstName} and ${names.size - 1} others`
  return names.size === 2 ? `${firstName} and ${secondName}` : (firstName ?? null)
}
