import { StageDot } from '#web/crm/stage-badge.tsx'
import { useDealStages } from '#web/data/deal-stages.ts'
import type { BoardColumn } from '#web/data/deals.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import { MenuItem, MenuSeparator, Submenu } from '#web/ui/menu.tsx'

/** A submenu for each other pipeline with its stages, below the board's stages in a menu. */
export function OtherPipelines({
  columns,
  onChoose,
}: {
  columns: readonly BoardColumn[]
  onChoose: (stageId: string) => void
}) {
  const { stages } = useDealStages()
  const others = usePipelines().flatMap((pipeline) => {
    const pipelineStages = stages.filter((stage) => stage.pipeline_id === pipeline.id)
    const isOnBoard = pipelineStages.some(({ id }) => columns.some(({ stage }) => stage.id === id))
    return isOnBoard || pipelineStages.length === 0 ? [] : [{ ...pipeline, stages: pipelineStages }]
  })
  if (others.length === 0) return null
  return (
    <>
      <MenuSeparator />
      {others.map((pipeline) => (
        <Submenu key={pipeline.id} label={pipeline.name}>
          {pipeline.stages.map((stage) => (
            <MenuItem key={stage.id} icon={<StageDot stage={stage} />} onSelect={() => onChoose(stage.id)}>
              {stage.name}
            </MenuItem>
          ))}
        </Submenu>
      ))}
    </>
  )
}
