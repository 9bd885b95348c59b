import { StageDot } from '#web/crm/stage-badge.tsx'
import { stageToneClass } from '#web/crm/stage-tone.ts'
import { type BoardColumn, useBoard } from '#web/data/deals.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatCount } from '#web/lib/count.ts'
import { splitSums } from '#web/lib/money.ts'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import { barShares } from './bar-shares.ts'

/** The number and value of each stage's deals; the bar is the value in pounds; won and lost are faded. */
export function PipelineByStage() {
  const board = useBoard('')
  const phase = useSkeleton(board.ready)
  const shares = barShares(board.columns.map(({ totals }) => totals))
  return (
    <Card aria-label="Pipeline by stage" className="p-5 pb-3 max-sm:p-4 max-sm:pb-2">
      <h2 className="text-[14px]/5">Pipeline by stage</h2>
      <ul className={table}>
        {phase === 'content' &&
          board.columns.map((column, index) => (
            <StageLine key={column.stage.id} column={column} share={shares[index] ?? 0} />
          ))}
        {phase !== 'content' &&
          [0, 1, 2, 3, 4, 5].map((place) => <PlaceholderLine key={place} visible={phase === 'skeleton'} />)}
      </ul>
      {phase === 'content' && board.columns.length === 0 && <p className="text-ink3">No stages yet</p>}
    </Card>
  )
}

/** The rows share one grid, so that all bars have one scale. */
const table =
  'mt-2 grid grid-cols-[minmax(0,auto)_auto_minmax(0,1fr)_auto_auto] gap-x-4 max-sm:grid-cols-[minmax(0,1fr)_auto_auto]'
const line = 'col-span-full grid h-9 grid-cols-subgrid items-center max-sm:h-11'

function StageLine({ column, share }: { column: BoardColumn; share: number }) {
  const { stage, count, totals } = column
  const { main, rest } = splitSums(totals)
  const faded = stage.kind === 'won' || stage.kind === 'lost'
  return (
    <li className={line}>
      <span className="flex min-w-0 items-center gap-2.5">
        <StageDot name={stage.name} />
        <span title={stage.name} className="truncate">
          {stage.name}
        </span>
      </span>
      <span className="num text-right text-ink2">{formatCount(count)}</span>
      <span aria-hidden="true" className={cx('block h-4 max-sm:hidden', stageToneClass(stage.name))}>
        {share > 0 && (
          <span
            className={cx('block h-full rounded-[4px] bg-tone-dot', faded ? 'opacity-40' : 'opacity-85')}
            style={{ width: `max(3px, ${share * 100}%)` }}
          />
        )}
      </span>
      <span className="num text-right whitespace-nowrap text-ink2 max-sm:hidden">{rest}</span>
      <span className="num text-right font-semibold whitespace-nowrap">{main}</span>
    </li>
  )
}

function PlaceholderLine({ visible }: { visible: boolean }) {
  return (
    <li aria-hidden="true" className={cx(line, !visible && 'invisible')}>
      <Skeleton className="h-3.5 w-20" />
      <Skeleton className="h-3.5 w-6" />
      <Skeleton className="h-4 max-sm:hidden" />
      <span className="max-sm:hidden" />
      <Skeleton className="h-3.5 w-16" />
    </li>
  )
}
