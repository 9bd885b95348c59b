import { type KeyboardEvent, useContext } from 'react'
import type { BoardColumn } from '#web/data/deals.ts'
import { countOf } from '#web/lib/count.ts'
import { formatSums } from '#web/lib/money.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { giveFocus, tryEachFrame } from '#web/ui/focus.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type BoardActions, focusKeyOf } from './board-actions.ts'
import { CurrentColumns } from './move-menu.tsx'
import { stageCount } from './stage-count.ts'

interface HeadProps {
  column: BoardColumn
  /** The id of the element with the name of the stage. */
  titleId: string
  actions: BoardActions
}

/** The head of a column: the button that folds it, the name, the count, the total by currency, and the plus button. */
export function StageHead(props: HeadProps) {
  const { stage, totals, isCounting } = props.column
  return (
    <header className="group/head relative z-1 flex min-h-11 shrink-0 items-center gap-2 py-1 pr-2 pl-3.5 max-sm:min-h-13 max-sm:pl-4">
      <FoldButton {...props} folded={false} />
      <h2
        id={props.titleId}
        className="max-w-1/2 shrink-0 truncate text-sm text-tone max-sm:sr-only"
        title={stage.name}
      >
        {stage.name}
      </h2>
      <span className="contents max-sm:hidden">
        <CountBadge count={stageCount(props.column)} />
      </span>
      <span className="num ml-auto min-w-0 text-right text-ink2 max-sm:mr-auto max-sm:ml-0 max-sm:text-left max-sm:font-semibold max-sm:text-ink">
        {isCounting ? <Skeleton className="h-3 w-20" /> : formatSums(totals).replaceAll('+ ', '+\u00a0')}
      </span>
      <QuickAddButton {...props} />
    </header>
  )
}

/** The content of a folded column: the same as in `StageHead`, written vertically. A click on the column, except on the plus button, unfolds it. */
export function StageStrip(props: HeadProps) {
  const { stage, totals, isCounting } = props.column
  return (
    <header className="group/head flex min-h-0 flex-1 flex-col items-center gap-2.5 pt-2.5 pb-2">
      <FoldButton {...props} folded />
      <CountBadge count={stageCount(props.column)} />
      <h2 id={props.titleId} className="max-h-1/2 truncate text-sm text-tone [writing-mode:vertical-rl]">
        {stage.name}
      </h2>
      <span className="num min-h-0 truncate text-ink2 [writing-mode:vertical-rl]">
        {!isCounting && formatSums(totals)}
      </span>
      <span className="relative mt-auto">
        <QuickAddButton {...props} />
      </span>
    </header>
  )
}

function QuickAddButton({ column, actions }: HeadProps) {
  return (
    <IconButton
      label={`New deal in ${column.stage.name}`}
      icon={<PlusIcon className="max-sm:size-5" />}
      size={28}
      onClick={() => void actions.quickAdd(column)}
    />
  )
}

function FoldButton({ column, actions, folded }: HeadProps & { folded: boolean }) {
  const { stage, count, isCounting } = column
  const { fold } = useContext(CurrentColumns)

  function handleKey(event: KeyboardEvent) {
    const key = focusKeyOf(event)
    if (!key || event.shiftKey) return
    event.preventDefault()
    actions.focusFromHead(stage.id, key)
  }

  return (
    <button
      id={foldButtonId(stage.id)}
      type="button"
      aria-label={
        folded ? `Unfold ${stage.name}, ${countOf(count, 'deal', 'deals', isCounting)}` : `Fold ${stage.name}`
      }
      title={folded ? 'Unfold' : 'Fold'}
      onClick={() => fold(stage.id, !folded)}
      onKeyDown={handleKey}
      className="fold-button max-sm:hidden"
    >
      <span className="size-2 rounded-full bg-tone-dot" />
    </button>
  )
}

function foldButtonId(stageId: string): string {
  return `fold-${stageId}`
}

/** Focuses the button that folds or unfolds a column, after the change of the column is rendered. */
export function focusHead(stageId: string): void {
  void tryEachFrame(() => giveFocus(document.getElementById(foldButtonId(stageId))), 3)
}

/** Whether the button that folds or unfolds this column has the focus. */
export function isHeadFocused(stageId: string): boolean {
  return document.activeElement?.id === foldButtonId(stageId)
}
