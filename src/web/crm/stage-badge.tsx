import { cx } from '#web/lib/class-names.ts'
import { Badge } from '#web/ui/badge.tsx'
import { type ColouredStage, stageToneClass } from './stage-tone.ts'

/** A badge with a stage's name in the stage's colours. */
export function StageBadge({ stage }: { stage: ColouredStage }) {
  return (
    <Badge tone={stageToneClass(stage)}>
      <span className="truncate">{stage.name}</span>
    </Badge>
  )
}

/** A dot of 8 px in the stage's colour, next to its name. */
export function StageDot({ stage }: { stage: ColouredStage }) {
  return <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full bg-tone-dot', stageToneClass(stage))} />
}
