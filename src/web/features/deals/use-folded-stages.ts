import { useMemo, useState } from 'react'
import type { BoardColumn } from '#web/data/deals.ts'
import { useSession } from '#web/data/session/session.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { type FoldChoices, foldedStages } from './folded-stages.ts'

const noChoices: FoldChoices = {}
const noneFolded: ReadonlySet<string> = new Set()

interface FoldedStages {
  folded: ReadonlySet<string>
  fold: (stageId: string, isFolded: boolean) => void
}

/**
 * Returns the stages whose columns are folded, and the function that folds and unfolds a column. Choices are stored for this person on
 * this device, by stage id. Choices made during a search or filter are dropped when it ends. On the phone nothing is folded, because the
 * phone shows one stage at a time.
 */
export function useFoldedStages(
  columns: readonly BoardColumn[],
  { phone, isNarrowed, uncovered }: { phone: boolean; isNarrowed: boolean; uncovered: string | null },
): FoldedStages {
  const key = `banyan-folded-${useSession().session?.userId}`
  const [choices, setChoices] = useState(() => storedChoices(key))
  const [inSearch, setInSearch] = useState<FoldChoices | null>(null)
  if (isNarrowed !== (inSearch !== null)) setInSearch(isNarrowed ? noChoices : null)
  // The width of the columns with their gaps, the page's padding and the sidebar.
  const isTight = useNarrow(`(width < ${columns.length * 20.75 + 15.25}rem)`)
  const folded = useMemo(
    () => (phone ? noneFolded : foldedStages({ columns, isTight, choices, inSearch, uncovered })),
    [phone, columns, isTight, choices, inSearch, uncovered],
  )
  const fold = (stageId: string, isFolded: boolean) => {
    if (inSearch) return setInSearch({ ...inSearch, [stageId]: isFolded })
    const newChoices = { ...choices, [stageId]: isFolded }
    setChoices(newChoices)
    try {
      localStorage.setItem(key, JSON.stringify(newChoices))
    } catch {
      // If the storage is full or blocked, the choice is not stored.
    }
  }
  return { folded, fold }
}

function storedChoices(key: string): FoldChoices {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return Object.fromEntries(Object.entries(Object(stored)).map(([stageId, value]) => [stageId, value === true]))
  } catch {
    return noChoices
  }
}
