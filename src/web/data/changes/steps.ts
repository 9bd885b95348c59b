import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { perBrand } from '#web/data/store/per-brand.ts'

/** What an operation has done, as far as its undo has to know. */
export type Done = Pick<
  Operation,
  'kind' | 'brandId' | 'table' | 'rowId' | 'rowIds' | 'values' | 'preview' | 'base' | 'bases' | 'at' | 'title' | 'icon'
> & {
  /** The server has done it without the outbox, after `at`: rows on this device may be those of before. */
  onServer?: true
}

/** What one 'Undo' takes back: the operations of one action, in their order. Empty after all of them were refused. */
export interface Step {
  operations: readonly Done[]
  /** What the action did, once it is known: 'Renewal 2027 moved to Won'. */
  words?: string
  /** For an action that has no operations here (an import): asks whether to undo it. `id` tells it from others. */
  asks?: { id: string; ask: () => void }
}

interface Steps {
  done: readonly Step[]
  /** What was undone and can be done again: the operations of the undo. The last one is next. */
  undone: readonly Step[]
  /** The step that an operation now belongs to. */
  open: Step | null
}

/** So many steps of a tab can be undone. */
const limit = 50

/** The steps of this tab in a brand: they are dropped when the brand is closed. The last one of `done` is undone next. */
export const stepsOf = perBrand((): Steps => ({ done: [], undone: [], open: null }))

/**
 * Notes an operation of this tab. Operations that are made at once, without a pause, are one step. Returns the function that forgets one
 * without effect: it was refused, or met another row than the one that it was to create.
 */
export function noteOperation(data: BrandData, operation: Done): () => void {
  const steps = stepsOf(data)
  const step = (steps.open ??= { operations: [] })
  step.operations = [...step.operations, operation]
  queueMicrotask(() => {
    if (steps.open === step) steps.open = null
  })
  if (![...steps.done, ...steps.undone].includes(step)) {
    steps.done = [...steps.done, step].slice(-limit)
    steps.undone = []
  }
  return () => {
    step.operations = step.operations.filter((each) => each !== operation)
  }
}

/** Runs an action whose operations belong to this step. Only what it does before its first `await` counts. */
export function inStep<Result>(data: BrandData | null, step: Step, act: () => Result): Result {
  if (!data) return act()
  const steps = stepsOf(data)
  steps.open = step
  try {
    return act()
  } finally {
    steps.open = null
  }
}
