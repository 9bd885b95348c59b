import { useDevice } from '#web/data/browser/device.ts'
import { stageOptions } from '#web/crm/stage-options.tsx'
import { stageToneClass } from '#web/crm/stage-tone.ts'
import type { Deal, DealStage as Stage } from '#web/data/server/rows.ts'
import { useLastMove } from '#web/data/deal-history.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import { cx } from '#web/lib/class-names.ts'
import { countOf } from '#web/lib/count.ts'
import { daysBetween } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Select } from '#web/ui/select.tsx'
import { moveWithToast } from './move-with-toast.ts'

/**
 * The progress of a deal: a bar with a segment for each stage of its pipeline, and a select for the stage. Choosing a stage moves the
 * deal, as on the board. For a lost deal the bar shows how far the deal came.
 */
export function DealStage({ deal, stages }: { deal: Deal; stages: readonly Stage[] }) {
  const device = useDevice()
  const pipelines = usePipelines()
  const current = stages.find(({ id }) => id === deal.stage_id)
  const pipelineStages = stages.filter((stage) => stage.pipeline_id === current?.pipeline_id)
  const currentIndex = pipelineStages.findIndex(({ id }) => id === deal.stage_id)
  const move = useLastMove(deal.id).move
  const lastMove = move?.to_stage_id === deal.stage_id ? move : null
  /** A lost deal came as far as its last stage before the loss. That stage is unknown without a connection. */
  const reachedIndex =
    current?.kind === 'lost' ? pipelineStages.findIndex(({ id }) => id === lastMove?.from_stage_id) : currentIndex
  const now = useNow()
  const days = lastMove ? daysBetween(new Date(lastMove.changed_at), now) : 0
  return (
    <div className="flex flex-col gap-2.5">
      <div aria-hidden="true" className={cx('flex min-h-1.5 gap-1', current && stageToneClass(current))}>
        {pipelineStages.map(({ id, kind }, index) => (
          <span
            key={id}
            className={cx(
              'h-1.5 flex-1 rounded-full',
              id === deal.stage_id || (index <= reachedIndex && current?.kind !== 'lost')
                ? 'bg-tone-dot'
                : index <= reachedIndex && kind === 'open'
                  ? 'bg-ink3'
                  : 'bg-active',
            )}
          />
        ))}
      </div>
      <div className="flex items-center justify-between gap-3">
        <Select
          value={deal.stage_id}
          options={stageOptions(stages, pipelines)}
          onChange={(stageId) => void moveWithToast(device, deal, stageId)}
          size="control"
          aria-label="Stage"
          className={cx(
            'min-w-0 [&>button]:gap-2 [&>button]:font-medium [&>button]:text-sm [&>button]:text-tone',
            current && stageToneClass(current),
            'not-focus-within:not-data-[open=true]:shadow-[inset_0_0_0_1px_var(--line2)]',
          )}
        />
        {days > 0 && <span className="num text-xs text-ink2">in this stage for {countOf(days, 'day', 'days')}</span>}
      </div>
    </div>
  )
}
