import type { ReactNode } from 'react'
import { RecordLink } from '#web/crm/record-link.tsx'
import { StageDot } from '#web/crm/stage-badge.tsx'
import type { DealCard } from '#web/data/deals.ts'
import { isOpenStage, useDealStages } from '#web/data/deal-stages.ts'
import type { DealStage } from '#web/data/server/rows.ts'
import type { RelatedList } from '#web/data/query/related-list.ts'
import { useFurtherDealsOfContact } from '#web/data/related-records.ts'
import { addAmount, moneyOf, type Sums } from '#web/data/query/sums.ts'
import { countOf } from '#web/lib/count.ts'
import { formatMoney, formatSums } from '#web/lib/money.ts'
import { PanelCard, PanelSection } from '#web/ui/panel-parts.tsx'
import { partLabel } from './deal-parts.ts'

/**
 * The deals of a contact or a company in its panel: links with stage, name and amount, and the sum of the open deals by currency. If not all
 * deals are shown, their number replaces the sum. `action`: a button.
 */
export function RelatedDeals({ list, action }: { list: RelatedList<DealCard>; action?: ReactNode }) {
  const { stages } = useDealStages()
  if (!list.ready) return null
  const areAllShown = list.total === list.entries.length
  return (
    <PanelSection
      title="Deals"
      aside={
        <div className="flex flex-wrap items-center justify-end gap-x-3">
          {areAllShown ? openSumText(list.entries, stages) : countOf(list.total, 'deal', 'deals')}
          {action}
        </div>
      }
    >
      {list.entries.length === 0 ? (
        <p className="text-ink3">No deals yet</p>
      ) : (
        <PanelCard>
          {list.entries.map((card) => (
            <DealLine key={card.deal.id} card={card} />
          ))}
        </PanelCard>
      )}
    </PanelSection>
  )
}

/** The deals that have a contact as a further contact, with the contact's part in each. Renders nothing if there are none. */
export function FurtherDeals({ contactId }: { contactId: string }) {
  const { entries } = useFurtherDealsOfContact(contactId)
  if (entries.length === 0) return null
  return (
    <PanelSection title="Further contact in">
      <PanelCard>
        {entries.map(({ id, card, role }) => (
          <DealLine key={id} card={card} part={partLabel(role)} />
        ))}
      </PanelCard>
    </PanelSection>
  )
}

function DealLine({ card: { deal }, part }: { card: DealCard; part?: string }) {
  const { stages } = useDealStages()
  const stage = stages.find(({ id }) => id === deal.stage_id) ?? { name: '' }
  return (
    <RecordLink
      table="deals"
      id={deal.id}
      title={`${deal.name} (${stage.name})`}
      className="flex min-h-11 items-center gap-2.5 px-3 py-2 hover:bg-hover max-sm:min-h-14 max-sm:px-4"
    >
      <StageDot stage={stage} />
      <span className="sr-only">{stage.name}: </span>
      <span className="min-w-0 flex-1 truncate font-medium">{deal.name}</span>
      {part && <span className="shrink-0 text-ink2">{part}</span>}
      <span className="num shrink-0 font-semibold">{formatMoney(deal.amount, deal.amount_currency)}</span>
    </RecordLink>
  )
}

/** Returns the sum of the open deals as text: '£12,400 + €3,000 open', as on a company's card. Undefined if there are none. */
function openSumText(entries: readonly DealCard[], stages: readonly DealStage[]): string | undefined {
  const openStageIds = new Set(stages.filter(isOpenStage).map(({ id }) => id))
  const sums: Sums = new Map()
  for (const { deal } of entries)
    if (openStageIds.has(deal.stage_id)) addAmount(sums, deal.amount_currency, deal.amount, 1)
  return sums.size > 0 ? `${formatSums(moneyOf(sums))} open` : undefined
}
