import { useState } from 'react'
import { StageDot } from '#web/crm/stage-badge.tsx'
import type { BoardColumn, DealCard } from '#web/data/deals.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatMoney } from '#web/lib/money.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { CheckIcon } from '#web/ui/icons.tsx'

/** 'Move to' on the phone: the stages in a sheet; the current one has a tick. `card` null: closed. */
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
  return (
    <Dialog
      open={card !== null}
      onClose={onClose}
      title="Move to"
      description={shown && `${shown.deal.name} · ${formatMoney(shown.deal.amount, shown.deal.amount_currency)}`}
    >
      <ul className="-mx-5 -mb-2">
        {shown &&
          columns.map(({ stage, count }) => {
            const here = stage.id === shown.deal.stage_id
            return (
              <li key={stage.id}>
                <button
                  type="button"
                  aria-current={here ? 'true' : undefined}
                  onClick={() => onChoose(shown, stage.id)}
                  className={cx(
                    'flex h-13 w-full items-center gap-3 px-5 text-left text-sm active:bg-active',
                    here && 'bg-hover',
                  )}
                >
                  <StageDot name={stage.name} />
                  <span className="min-w-0 flex-1 truncate font-medium">{stage.name}</span>
                  <span className="num text-ink3">{count.toLocaleString('en-GB')}</span>
                  <CheckIcon className={here ? 'text-accent-text' : 'invisible'} />
                </button>
              </li>
            )
          })}
      </ul>
    </Dialog>
  )
}
