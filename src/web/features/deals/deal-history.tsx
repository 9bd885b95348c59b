import { stageToneClass } from '#web/crm/stage-tone.ts'
import { type DealChange, useDealHistory } from '#web/data/deal-history.ts'
import { useDealStages } from '#web/data/deal-stages.ts'
import { usePeople } from '#web/data/people/people.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatMoney } from '#web/lib/money.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { PanelSection } from '#web/ui/panel-parts.tsx'

/** Who moved a deal between which stages and changed its amount, newest first; nothing while that is unknown or nothing has changed. */
export function DealHistory({ dealId }: { dealId: string }) {
  const history = useDealHistory(dealId)
  const people = usePeople()
  const changes = history.changes?.filter((change) => 'to_amount' in change || change.from_stage_id !== null) ?? []
  if (changes.length === 0) return null
  return (
    <PanelSection title="History">
      <ul className="flex flex-col gap-1">
        {changes.map((change) => {
          const who = people.byId(change.changed_by)?.name ?? 'Somebody'
          return (
            <li key={`${'to_amount' in change} ${change.id}`} className="flex min-h-7 items-start gap-2.5">
              <Avatar name={who} size={20} />
              <span className="min-w-0 flex-1 text-ink2">
                <span className="font-medium text-ink">{who}</span> <What change={change} />
              </span>
              <span className="num shrink-0 text-ink2">{formatDay(change.changed_at)}</span>
            </li>
          )
        })}
      </ul>
    </PanelSection>
  )
}

function What({ change }: { change: DealChange }) {
  const { stages } = useDealStages()
  const stage = (id: string | null) => stages.find((candidate) => candidate.id === id)?.name ?? 'a former stage'
  if ('to_amount' in change)
    return (
      <>
        changed the amount from <Amount amount={change.from_amount} currency={change.from_currency} /> to{' '}
        <Amount amount={change.to_amount} currency={change.to_currency} />
      </>
    )
  return (
    <>
      moved from <StageName name={stage(change.from_stage_id)} /> to <StageName name={stage(change.to_stage_id)} />
    </>
  )
}

function StageName({ name }: { name: string }) {
  return <span className={cx('text-tone', stageToneClass(name))}>{name}</span>
}

function Amount({ amount, currency }: { amount: number; currency: string }) {
  return <span className="num text-ink">{formatMoney(amount, currency)}</span>
}
