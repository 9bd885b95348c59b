import { Fragment } from 'react'
import { StageDot } from '#web/crm/stage-badge.tsx'
import { stageToneClass } from '#web/crm/stage-tone.ts'
import { type BoardColumn, useBoard } from '#web/data/deals.ts'
import { usePipelines } from '#web/data/pipelines.ts'
import { type WeightedSums, weightedSumsOf } from '#web/data/weighted-sums.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatCount } from '#web/lib/count.ts'
import { formatMoney, formatSums } from '#web/lib/money.ts'
import { Card } from '#web/ui/card.tsx'
import { Link } from '#web/ui/link.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import { cardLineClasses } from '#web/ui/card-line.ts'
import { type Bar, stageBars } from './stage-bars.ts'

/**
 * The number and value of the deals of each stage, with a bar for each currency. The bars of won and lost stages are faded. Each line links
 * to its stage's column on the board. While the server counts the deals, placeholders are shown.
 */
export function PipelineByStage() {
  const board = useBoard('', { pipeline: 'all' })
  const pipelines = usePipelines()
  const phase = useSkeleton(board.ready && !board.isCounting)
  const bars = stageBars(board.columns.map(({ totals }) => totals))
  const weighted = phase === 'content' ? weightedSumsOf(board.columns) : null
  const hasCurrencies = new Set(bars.flat().map(({ currency }) => currency)).size > 1
  return (
    <Card aria-label="Pipeline by stage" className="p-5 pb-3 max-sm:p-4 max-sm:pb-2">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-14/5">Pipeline by stage</h2>
        {hasCurrencies && <p className="text-xs text-ink3 max-sm:hidden">Bars compare amounts of one currency</p>}
      </div>
      <ul className={tableClasses}>
        {phase === 'content' &&
          board.columns.map((column, index) => {
            const { pipeline_id: pipelineId } = column.stage
            const isFirstOfPipeline = pipelines.length > 1 && board.columns[index - 1]?.stage.pipeline_id !== pipelineId
            return (
              <Fragment key={column.stage.id}>
                {isFirstOfPipeline && (
                  <li className="col-span-full pt-2 pb-1 text-xs font-medium text-ink3 first:pt-0">
                    {pipelines.find(({ id }) => id === pipelineId)?.name}
                  </li>
                )}
                <StageLine column={column} bars={bars[index] ?? []} />
              </Fragment>
            )
          })}
        {phase !== 'content' &&
          [0, 1, 2, 3, 4, 5].map((index) => <PlaceholderLine key={index} visible={phase === 'skeleton'} />)}
      </ul>
      {weighted && <WeightedLine weighted={weighted} />}
      {phase === 'content' && board.columns.length === 0 && <p className="text-ink3">No stages yet</p>}
    </Card>
  )
}

/** The rows share one grid, so that all bars of a currency have the same scale. */
const tableClasses =
  'mt-2 grid grid-cols-[minmax(0,auto)_auto_minmax(0,1fr)_auto] gap-x-4 max-sm:grid-cols-[minmax(0,1fr)_auto_auto]'
const lineClasses = 'col-span-full grid grid-cols-subgrid py-1.5 leading-6 max-sm:py-2.5'

function StageLine({ column: { stage, count }, bars }: { column: BoardColumn; bars: readonly Bar[] }) {
  const isFaded = stage.kind === 'won' || stage.kind === 'lost'
  return (
    <li className={cx(lineClasses, cardLineClasses)}>
      <span className="flex h-6 min-w-0 items-center gap-2.5">
        <StageDot stage={stage} />
        <Link
          to="/crm/deals"
          search={{ show: stage.id }}
          title={stage.name}
          className="truncate rounded-badge after:absolute after:inset-0"
        >
          {stage.name}
        </Link>
      </span>
      <span className="num text-right text-ink2">{formatCount(count)}</span>
      <span className="col-span-2 grid grid-cols-subgrid items-center max-sm:col-span-1">
        {bars.map(({ currency, amount, share }) => (
          <Fragment key={currency}>
            <span aria-hidden="true" className={cx('block h-4 max-sm:hidden', stageToneClass(stage))}>
              {share > 0 && (
                <span
                  data-bar={currency}
                  className={cx('block h-full rounded-[4px] bg-tone-dot', isFaded ? 'opacity-40' : 'opacity-85')}
                  style={{ width: `max(3px, ${share * 100}%)` }}
                />
              )}
            </span>
            <span className="num text-right font-semibold whitespace-nowrap">{formatMoney(amount, currency)}</span>
          </Fragment>
        ))}
      </span>
    </li>
  )
}

/** The value of the open deals weighted by the probabilities of their stages. Open stages that have deals but no probability are named and
 * not counted. */
function WeightedLine({ weighted: { sums, withoutProbability } }: { weighted: WeightedSums }) {
  return (
    <dl className="mt-1 mb-2 flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-2.5">
      <dt>
        Weighted
        <span className="ml-2.5 text-xs text-ink3">
          Open deals by the probability of their stage
          {withoutProbability.length > 0 && `, without ${withoutProbability.join(', ')}`}
        </span>
      </dt>
      <dd className="num ml-auto text-right font-semibold">{formatSums(sums)}</dd>
    </dl>
  )
}

function PlaceholderLine({ visible }: { visible: boolean }) {
  return (
    <li aria-hidden="true" className={cx(lineClasses, 'h-9 items-center max-sm:h-11', !visible && 'invisible')}>
      <Skeleton className="h-3.5 w-20" />
      <Skeleton className="h-3.5 w-6" />
      <Skeleton className="h-4 max-sm:hidden" />
      <Skeleton className="h-3.5 w-16" />
    </li>
  )
}
