import { createContext, useContext } from 'react'
import type { BoardColumn, DealCard } from '#web/data/deals.ts'
import { StageDot } from '#web/crm/stage-badge.tsx'
import { MenuItem } from '#web/ui/menu.tsx'

/** The columns as they are now, for what is open over the board only: cards do not render again for them. */
export const ColumnsNow = createContext<{
  columns: readonly BoardColumn[]
  choose: (card: DealCard, stageId: string) => void
}>({
  columns: [],
  choose: () => {},
})

/** The items of 'Move to stage': each stage with its count, the present one ticked. */
export function MoveItems({ card }: { card: DealCard }) {
  const { columns, choose } = useContext(ColumnsNow)
  return columns.map(({ stage, count }) => (
    <MenuItem
      key={stage.id}
      icon={<StageDot name={stage.name} />}
      hint={count.toLocaleString('en-GB')}
      checked={stage.id === card.deal.stage_id}
      onSelect={() => choose(card, stage.id)}
    >
      {stage.name}
    </MenuItem>
  ))
}
