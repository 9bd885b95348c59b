import { createContext, Suspense, useContext } from 'react'
import { StageDot } from '#web/crm/stage-badge.tsx'
import type { BoardColumn, DealCard } from '#web/data/deals.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { stageCount } from './stage-count.ts'

const OtherPipelines = lazyComponent(async () => (await import('./other-pipelines.tsx')).OtherPipelines)

/**
 * The current columns, and the functions that move a card to a chosen stage and fold a column. A context, so that cards do not render again
 * when columns change.
 */
export const CurrentColumns = createContext<{
  columns: readonly BoardColumn[]
  choose: (card: DealCard, stageId: string) => void
  fold: (stageId: string, isFolded: boolean) => void
}>({
  columns: [],
  choose: () => {},
  fold: () => {},
})

/** The items of 'Move to stage': the stages with their counts, the current stage with a tick, then the other pipelines. */
export function MoveToStageItems({ card }: { card: DealCard }) {
  const { columns, choose } = useContext(CurrentColumns)
  const items = columns.map(({ stage, ...column }) => (
    <MenuItem
      key={stage.id}
      icon={<StageDot stage={stage} />}
      hint={stageCount(column)}
      checked={stage.id === card.deal.stage_id}
      onSelect={() => choose(card, stage.id)}
    >
      {stage.name}
    </MenuItem>
  ))
  return (
    <>
      {items}
      <Suspense>
        <OtherPipelines columns={columns} onChoose={(stageId) => choose(card, stageId)} />
      </Suspense>
    </>
  )
}
