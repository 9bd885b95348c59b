import type { DealStage, Pipeline } from '#web/data/server/rows.ts'

/** A stage, or a pipeline with its stages, that the person wants to delete. */
export type StagesToDelete = { stage: DealStage } | { pipeline: Pipeline }

/** The dialog that is open over the Deal Stages card. A null `stage` or `pipeline` means a new one. */
export type Question =
  | { kind: 'stage'; pipelineId: string; stage: DealStage | null }
  | { kind: 'pipeline'; pipeline: Pipeline | null }
  | { kind: 'delete'; toDelete: StagesToDelete }
