import type { DealStage, Pipeline } from '#web/data/server/rows.ts'

/** A stage, or a pipeline with its stages, that the person wants to delete. */
export type StagesToDelete = { stage: DealStage } | { pipeline: Pipeline }

/** Which dialog the Deal Stages card opens, and for what. A null `stage` or `pipeline` means a new one. */
export type StagesDialogRequest =
  | { kind: 'stage'; pipelineId: string; stage: DealStage | null }
  | { kind: 'pipeline'; pipeline: Pipeline | null }
  | { kind: 'delete'; toDelete: StagesToDelete }
