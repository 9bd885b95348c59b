import type { ReactNode } from 'react'
import { useDeal } from '#web/data/deals.ts'
import { usePeople } from '#web/data/people.ts'
import { unlinkWords } from '#web/data/unlink-words.ts'
import { useUnlinked } from '#web/data/unlinked.ts'
import { DeleteIcon } from '#web/ui/icons.tsx'
import { MenuItem } from '#web/ui/menu.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { PanelMissing, PanelSkeleton } from '#web/ui/panel-parts.tsx'
import { StampLine } from '#web/ui/stamp-line.tsx'
import { DealDetails } from './deal-details.tsx'
import { deleteDeals } from './delete-deals.ts'

/** A deal beside the board: its fields, and below them `children`, what is linked to it. */
export function DealPanel({
  dealId,
  missing,
  actions,
  onClose,
  children,
}: {
  dealId: string
  /** The server has said that it is not there, or not ours. */
  missing: boolean
  /** In the head: who else has it open. */
  actions: ReactNode
  onClose: () => void
  children: ReactNode
}) {
  const { card } = useDeal(dealId)
  const people = usePeople()
  const unlinked = unlinkWords(useUnlinked('deals', [dealId]))
  const deal = card?.deal
  const remove = () => {
    onClose()
    deleteDeals([dealId])
  }
  return (
    <Panel
      kind="Deal"
      recordKey={dealId}
      onClose={onClose}
      returnTo={`deal-${dealId}`}
      actions={actions}
      menu={
        deal && (
          <MenuItem icon={<DeleteIcon />} danger hint={unlinked} onSelect={remove}>
            Delete deal
          </MenuItem>
        )
      }
      footer={
        deal && (
          <StampLine
            createdAt={deal.created_at}
            createdBy={people.byId(deal.created_by)?.name ?? null}
            changedAt={deal.updated_at}
            changedBy={people.byId(deal.updated_by)?.name ?? null}
          />
        )
      }
    >
      {card ? (
        <>
          <DealDetails key={dealId} card={card} />
          {children}
        </>
      ) : missing ? (
        <PanelMissing />
      ) : (
        <PanelSkeleton />
      )}
    </Panel>
  )
}
