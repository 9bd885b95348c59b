import { isOpenStage } from '#web/data/deal-stages.ts'
import type { BoardColumn } from '#web/data/deals.ts'

/** What a person chose for columns, by the id of their stage: true is folded. */
export type FoldChoices = Readonly<Record<string, boolean>>

interface Folding {
  columns: readonly BoardColumn[]
  /** Whether the window is too narrow for all columns side by side. */
  isTight: boolean
  /** The lasting choices. */
  choices: FoldChoices
  /** The choices of this search or filter; null: all deals are shown. */
  inSearch: FoldChoices | null
  /** The stage of a card that was revealed: it is not folded. */
  uncovered: string | null
}

/**
 * The ids of the stages whose columns are folded. Before a person has chosen: those of won and lost deals, where not all columns fit.
 * While a search or a filter leaves deals out: those without a hit, unless there is none at all.
 */
export function foldedStages({ columns, isTight, choices, inSearch, uncovered }: Folding): ReadonlySet<string> {
  const isFound = columns.some(({ count }) => count > 0)
  const isFolded = ({ stage, count }: BoardColumn): boolean => {
    if (stage.id === uncovered) return false
    if (inSearch && isFound) return inSearch[stage.id] ?? count === 0
    return choices[stage.id] ?? (isTight && !isOpenStage(stage))
  }
  return new Set(columns.filter(isFolded).map(({ stage }) => stage.id))
}

/** The index from which all columns are folded: these stand at the right of the board, always in sight. */
export function dockedFrom(columns: readonly BoardColumn[], folded: ReadonlySet<string>): number {
  return columns.findLastIndex(({ stage }) => !folded.has(stage.id)) + 1
}
