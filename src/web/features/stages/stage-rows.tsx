import { useDevice } from '#web/data/browser/device.ts'
import { StageDot } from '#web/crm/stage-badge.tsx'
import { stageTone } from '#web/crm/stage-tone.ts'
import { reorder } from '#web/data/change-stages.ts'
import type { DealStage } from '#web/data/server/rows.ts'
import { cx } from '#web/lib/class-names.ts'
import { countOf } from '#web/lib/count.ts'
import { useReorder } from '#web/ui/use-reorder.ts'
import { toastStageRefusal } from './stage-refusal.ts'

/** The stages of a pipeline in their order. `onEdit` opens the form for a stage. Null if the person may not change stages. */
export function StageRows({
  label,
  stages,
  onEdit,
}: {
  label: string
  stages: readonly DealStage[]
  onEdit: ((stage: DealStage) => void) | null
}) {
  const device = useDevice()
  const byId = new Map(stages.map((stage) => [stage.id, stage]))
  const { list, shown, dragged, handle } = useReorder({
    ids: stages.map(({ id }) => id),
    nameOf: (id) => byId.get(id)?.name ?? '',
    onMove: async (ids) => toastStageRefusal('Error moving stage', await reorder(device, 'deal_stages', ids)),
  })
  return (
    <ul ref={list} aria-label={label} className="flex flex-col">
      {shown.map((id) => {
        const stage = byId.get(id)
        if (!stage) return null
        return (
          <li
            key={id}
            className={cx(
              'group/row relative -mx-2 flex min-h-9 items-center gap-2.5 rounded-control px-2 max-sm:min-h-12',
              onEdit && 'hover:bg-hover',
              dragged === id && 'z-1 bg-raised shadow-pop',
            )}
          >
            {onEdit && (
              <button
                type="button"
                aria-label={`Move ${stage.name}`}
                title="Drag, or press the arrow keys"
                className="relative z-1 -ml-1 grid h-7 w-5 shrink-0 cursor-grab place-items-center rounded-badge text-ink3 active:cursor-grabbing max-sm:-mr-1.5 max-sm:-ml-2.5 max-sm:size-11"
                {...handle(id)}
              >
                <Grip />
              </button>
            )}
            <StageDot stage={stage} />
            {onEdit ? (
              <button
                type="button"
                onClick={() => onEdit(stage)}
                className="min-w-0 flex-1 truncate text-left after:absolute after:inset-0 after:rounded-control"
              >
                {stage.name}
              </button>
            ) : (
              <span title={stage.name} className="min-w-0 flex-1 truncate">
                {stage.name}
              </span>
            )}
            <span className="num shrink-0 text-xs text-ink3">{factsOf(stage)}</span>
          </li>
        )
      })}
    </ul>
  )
}

/**
 * Returns the text beside a stage's name: 'Won' or 'Lost' for a stage of this kind whose name does not say so, then its probability and its usual
 * number of days, if they are set.
 */
function factsOf({ name, kind, probability, usual_days: days }: DealStage): string {
  return [
    kind === 'open' || stageTone(name) === kind ? null : kind === 'won' ? 'Won' : 'Lost',
    probability === null ? null : `${probability} %`,
    days === null ? null : countOf(days, 'day', 'days'),
  ]
    .filter(Boolean)
    .join(' · ')
}

function Grip() {
  return (
    <svg aria-hidden="true" width="8" height="14" viewBox="0 0 8 14" fill="currentColor">
      {[2, 7, 12].map((y) => (
        <g key={y}>
          <circle cx="1.5" cy={y} r="1.25" />
          <circle cx="6.5" cy={y} r="1.25" />
        </g>
      ))}
    </svg>
  )
}
