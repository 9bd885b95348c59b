import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { perBrand } from '#web/data/store/per-brand.ts'

/** The parts of a done operation that its undo needs. */
export type DoneOperation = Pick<
  Operation,
  'kind' | 'brandId' | 'table' | 'rowId' | 'rowIds' | 'values' | 'preview' | 'base' | 'bases' | 'at' | 'title' | 'icon'
> & {
  /** True if the server did it without the outbox, after `at`: rows on this device may still be as before. */
  onServer?: true
}

/** A step of undo: the operations of one action, in order. One 'Undo' reverts them. Empty after all of them were refused. */
export interface Step {
  operations: readonly DoneOperation[]
  /** Words for the action, after they were computed: 'Renewal 2027 moved to Won'. */
  words?: string
  /** For an action without operations on this device (an import): asks whether to undo it. `id` identifies the action. */
  asks?: { id: string; ask: () => void }
}

interface Steps {
  done: readonly Step[]
  /** Steps that were undone and can be redone: the operations of the undo. The last one is redone next. */
  undone: readonly Step[]
  /** The step to which an operation belongs that is made now. */
  open: Step | null
}

/** Maximum number of steps of a tab that can be undone. */
const limit = 50

/** The steps of this tab in a brand. They are dropped when the brand is closed. The last one of `done` is undone next. */
export const stepsOf = perBrand((): Steps => ({ done: [], undone: [], open: null }))

/**
 * Records an operation of this tab as part of a step. Operations that are made without an `await` in between form one step. Returns a function that
 * removes the operation if it has no effect: it was refused, or found an existing row instead of creating one.
 */
export function recordOperation(data: BrandData, operation: DoneOperation): () => void {
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

/** Runs an action and records its operations in this step. Only operations before its first `await` count. */
export function runInStep<Result>(data: BrandData | null, step: Step, act: () => Result): Result {
  if (!data) return act()
  const steps = stepsOf(data)
  steps.open = step
  try {
    return act()
  } finally {
    steps.open = null
  }
}
