import { stageToneClass } from '#web/crm/stage-tone.ts'
import { useDealStages } from '#web/data/deal-stages.ts'
import { usePeople } from '#web/data/people/people.ts'
import { useStageHistory } from '#web/data/stage-history.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { PanelSection } from '#web/ui/panel-parts.tsx'

/** Who moved a deal between which stages, newest first; nothing while that is unknown or the deal was never moved. */
export function StageHistory({ dealId }: { dealId: string }) {
  const { changes } = useStageHistory(dealId)
  const people = usePeople()
  const { stages } = useDealStages()
  const moves = changes?.filter(({ from_stage_id }) => from_stage_id !== null) ?? []
  if (moves.length === 0) return null
  const stage = (id: string | null) => stages.find((candidate) => candidate.id === id)?.name ?? 'a former stage'
  return (
    <PanelSection title="History">
      <ul className="flex flex-col gap-1">
        {moves.map(({ id, changed_by, from_stage_id, to_stage_id, changed_at }) => {
          const who = people.byId(changed_by)?.name ?? 'Somebody'
          return (
            <li key={id} className="flex min-h-7 items-start gap-2.5">
              <Avatar name={who} size={20} />
              <span className="min-w-0 flex-1 text-ink2">
                <span className="font-medium text-ink">{who}</span> moved from <StageName name={stage(from_stage_id)} />{' '}
                to <StageName name={stage(to_stage_id)} />
              </span>
              <span className="num shrink-0 text-ink2">{formatDay(changed_at)}</span>
            </li>
          )
        })}
      </ul>
    </PanelSection>
  )
}

function StageName({ name }: { name: string }) {
  return <span className={cx('text-tone', stageToneClass(name))}>{name}</span>
}
