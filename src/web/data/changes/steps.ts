import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { perBrand } from '#web/data/store/per-brand.ts'

/** The parts of an operation that are needed to undo it. */
export type DoneOperation = Pick<
  Operation,
  'kind' | 'brandId' | 'table' | 'rowId' | 'rowIds' | 'values' | 'preview' | 'base' | 'bases' | 'at' | 'title' | 'icon'
> & {
  /**
   * True if the operation did not go through the outbox: the server has changed the rows itself, after `at`. This device may still have the
   * earlier rows.
   */
  onServer?: true
}

/**
 * What one 'Undo' reverts: the operations of one action of the user, in order. `operations` is empty if none of them had an effect (for example,
 * the server refused all), or if `onServer` is set.
 */
export interface Step {
  operations: readonly DoneOperation[]
  /** The words that name the action: 'Renewal 2027 moved to Won'. Missing if an undo computes them. */
  words?: string
  /** Only for the step of an undo or a redo: the operations that `words` name. Undefined if the action has set its own words. */
  names?: readonly DoneOperation[] | undefined
  /**
   * For an action of the server (an import, a delete of stages), which has no operations on this device: `run` undoes it, or asks the user first.
   * `id` identifies the action.
   */
  onServer?: { id: string; run: () => void }
}

interface Steps {
  done: readonly Step[]
  /** The steps that were undone and can be redone. Each contains the operations of its undo. The last step is redone next. */
  undone: readonly Step[]
  /** The step to which the next operation belongs. Null if the next operation begins a new step. */
  open: Step | null
}

/** Maximum number of steps that can be undone in a tab. */
const maxSteps = 50

/**
 * The steps that can be undone and redone in this tab, for each open brand. They are dropped when the brand is closed. The last step of
 * `done` is undone next.
 */
export const stepsOf = perBrand((): Steps => ({ done: [], undone: [], open: null }))

/**
 * Records an operation of this tab as a part of a step. Operations that are made without an `await` in between form one step. Returns the
 * function that removes the operation from its step. Call that function if the operation had no effect: this device could not store the
 * operation, the server refused it, or the server found an existing row instead of creating one.
 */
export function recordOperation(data: BrandData, operation: DoneOperation): () => void {
  const steps = stepsOf(data)
  const step = (steps.open ??= { operations: [] })
  step.operations = [...step.operations, operation]
  queueMicrotask(() => {
    if (steps.open === step) steps.open = null
  })
  if (![...steps.done, ...steps.undone].includes(step)) {
    steps.done = [...steps.done, step].slice(-maxSteps)
    steps.undone = []
  }
  return () => {
    step.operations = step.operations.filter((each) => each !== operation)
  }
}

/**
 * Runs an action and records its operations in the given step. Only operations that are made before the action's first `await` belong to
 * the step.
 */
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
