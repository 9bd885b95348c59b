import { isOpenStage } from '#web/data/deal-stages.ts'
import type { BoardColumn } from '#web/data/deals.ts'

/** A person's choices for columns, by stage id: true means folded. */
export type FoldChoices = Readonly<Record<string, boolean>>

interface FoldingInput {
  columns: readonly BoardColumn[]
  /** Whether the window is too narrow for all columns side by side. */
  isTight: boolean
  /** The choices that were made while all deals are shown. They are stored. */
  choices: FoldChoices
  /** The choices that were made during this search or filter; null if all deals are shown. */
  inSearch: FoldChoices | null
  /** The id of the stage of a revealed card. This stage is not folded. */
  uncovered: string | null
}

/**
 * Returns the ids of the stages whose columns are folded. Before a person has chosen: won and lost stages, if not all columns fit. During
 * a search or filter: stages without a result, unless no stage has one.
 */
export function foldedStages({ columns, isTight, choices, inSearch, uncovered }: FoldingInput): ReadonlySet<string> {
  const hasResult = columns.some(({ count }) => count > 0)
  const isFolded = ({ stage, count }: BoardColumn): boolean => {
    if (stage.id === uncovered) return false
    if (inSearch && hasResult) return inSearch[stage.id] ?? count === 0
    return choices[stage.id] ?? (isTight && !isOpenStage(stage))
  }
  return new Set(columns.filter(isFolded).map(({ stage }) => stage.id))
}

/**
 * Returns the index of the first docked column. This column and all after it are folded, and are always visible at the right of the board.
 * Returns the number of columns if none is docked.
 */
export function firstDockedIndex(columns: readonly BoardColumn[], folded: ReadonlySet<string>): number {
  return columns.findLastIndex(({ stage }) => !folded.has(stage.id)) + 1
}
