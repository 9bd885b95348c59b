import { useState } from 'react'
import { StageDot } from '#web/crm/stage-badge.tsx'
import { useDealStages } from '#web/data/deal-stages.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import type { BoardColumn, DealCard } from '#web/data/deals.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatMoney } from '#web/lib/money.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { CheckIcon } from '#web/ui/icons.tsx'

/** 'Move to' on the phone: the stages in a sheet, the current one with a tick; then those of other pipelines. `card` null: closed. */
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
  // While the sheet closes it still shows its card.
  const [last, setLast] = useState(card)
  if (card && card !== last) setLast(card)
  const shown = card ?? last
  const { stages } = useDealStages()
  const pipelines = usePipelines()
  const here = columns.map(({ stage, count }) => ({ stage, count, of: undefined }))
  const elsewhere = stages
    .filter((stage) => pipelines.length > 1 && !columns.some((column) => column.stage.id === stage.id))
    .map((stage) => ({ stage, count: 0, of: pipelines.find(({ id }) => id === stage.pipeline_id)?.name }))
  return (
    <Dialog
      open={card !== null}
      onClose={onClose}
      title="Move to"
      description={shown && `${shown.deal.name} · ${formatMoney(shown.deal.amount, shown.deal.amount_currency)}`}
    >
      <ul className="-mx-5 -mb-2">
        {shown &&
          [...here, ...elsewhere].map(({ stage, count, of }) => {
            const isHere = stage.id === shown.deal.stage_id
            return (
              <li key={stage.id}>
                <button
                  type="button"
                  aria-current={isHere ? 'true' : undefined}
                  onClick={() => onChoose(shown, stage.id)}
                  className={cx(
                    'flex h-13 w-full items-center gap-3 px-5 text-left text-sm active:bg-active',
                    isHere && 'bg-hover',
                  )}
                >
                  <StageDot stage={stage} />
                  <span className="min-w-0 flex-1 truncate font-medium">{stage.name}</span>
                  <span className="num text-ink3">{of ?? count.toLocaleString('en-GB')}</span>
                  <CheckIcon className={isHere ? 'text-accent-text' : 'invisible'} />
                </button>
              </li>
            )
          })}
      </ul>
    </Dialog>
  )
}
