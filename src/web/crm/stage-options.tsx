import type { DealStage, Pipeline } from '#web/data/server/rows.ts'
import type { SelectOption } from '#web/ui/select.tsx'
import { StageDot } from './stage-badge.tsx'

/** Returns stages as options of a select. If the brand has several pipelines, each option also names its pipeline. */
export function stageOptions(stages: readonly DealStage[], pipelines: readonly Pipeline[]): SelectOption<string>[] {
  const hintOf = (stage: DealStage) =>
    pipelines.length > 1 ? pipelines.find(({ id }) => id === stage.pipeline_id)?.name : undefined
  return stages.map((stage) => ({
    value: stage.id,
    label: stage.name,
    leading: <StageDot stage={stage} />,
    hint: hintOf(stage),
  }))
}
