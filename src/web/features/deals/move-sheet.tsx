import { useState } from 'react'
import { StageDot } from '#web/crm/stage-badge.tsx'
import { useDealStages } from '#web/data/deal-stages.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import type { BoardColumn, DealCard } from '#web/data/deals.ts'
import { useRecord } from '#web/data/query/use-record.ts'
import type { DealStage } from '#web/data/server/rows.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatMoney } from '#web/lib/money.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { CheckIcon } from '#web/ui/icons.tsx'
import { stageCount } from './stage-count.ts'

/**
 * 'Move to' on the phone: a sheet with the stages, the current one with a tick, then the stages of other pipelines. It is closed while
 * `card` is null.
 */
export function MoveSheet({
  card,
  columns,
  onChoose,
  onClose,
}: {
  card: DealCard | null
  columns: readonly BoardColumn[]
  onChoose: (card: DealCard, stageId: string) => void
  onClose: () => void
}) {
  // The sheet still shows its card while it closes.
  const [lastCard, setLastCard] = useState(card)
  if (card && card !== lastCard) setLastCard(card)
  const shownCard = card ?? lastCard
  const { row } = useRecord('deals', shownCard?.deal.id ?? null)
  const { stages } = useDealStages()
  const pipelines = usePipelines()
  const isOnBoard = (id: string) => columns.some(({ stage }) => stage.id === id)
  const boardGroup: Group = { name: null, lines: columns }
  const otherGroups: Group[] = pipelines.flatMap(({ id, name }) => {
    const pipelineStages = stages.filter((stage) => stage.pipeline_id === id)
    return pipelineStages.length === 0 || pipelineStages.some((stage) => isOnBoard(stage.id))
      ? []
      : [{ name, lines: pipelineStages.map(toLine) }]
  })
  return (
    <Dialog
      open={card !== null}
      onClose={onClose}
      title="Move to"
      description={
        shownCard && `${shownCard.deal.name} · ${formatMoney(shownCard.deal.amount, shownCard.deal.amount_currency)}`
      }
    >
      {shownCard &&
        [boardGroup, ...otherGroups].map(({ name, lines }) => (
          <section key={name} aria-label={name ?? undefined} className="-mx-5 last:-mb-2">
            {name !== null && <h3 className="px-5 pt-5 pb-1.5 text-xs font-medium text-ink3">{name}</h3>}
            <ul>
              {lines.map((line) => (
                <StageLine
                  key={line.stage.id}
                  line={line}
                  isHere={line.stage.id === (row ?? shownCard.deal).stage_id}
                  onChoose={() => onChoose(shownCard, line.stage.id)}
                />
              ))}
            </ul>
          </section>
        ))}
    </Dialog>
  )
}

/** A stage, with the number of its deals if it is on the board. */
type StageWithCount = Pick<BoardColumn, 'stage'> & Partial<Pick<BoardColumn, 'count' | 'isCounting'>>

/** The stages of a pipeline. `name`: the pipeline's name, shown above them; null for the board's own stages. */
interface Group {
  name: string | null
  lines: readonly StageWithCount[]
}

function toLine(stage: DealStage): StageWithCount {
  return { stage }
}

function StageLine({
  line: { stage, count, isCounting = false },
  isHere,
  onChoose,
}: {
  line: StageWithCount
  isHere: boolean
  onChoose: () => void
}) {
  return (
    <li>
      <button
        type="button"
        aria-current={isHere ? 'true' : undefined}
        onClick={onChoose}
        className={cx(
          'flex h-13 w-full items-center gap-3 px-5 text-left text-sm active:bg-active',
          isHere && 'bg-hover',
        )}
      >
        <StageDot stage={stage} />
        <span className="min-w-0 flex-1 truncate font-medium">{stage.name}</span>
        <span className="num text-ink3">{count !== undefined && stageCount({ count, isCounting })}</span>
        <CheckIcon className={isHere ? 'text-accent-text' : 'invisible'} />
      </button>
    </li>
  )
}
