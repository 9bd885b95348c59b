import { type ReactNode, useEffect } from 'react'
import { type ListPart, partConditions } from '#web/data/list-part.ts'
import type { Where } from '#web/data/query/list-options.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { CloseIcon } from '#web/ui/icons.tsx'

/**
 * What the URL parameter `show` names: a part of a list, such as the overdue tasks, or one column of the board. Pages load this file only if
 * the URL has the parameter.
 */
export interface ShownPart {
  /** Returns the conditions that the records of the part meet at this moment. */
  where?: () => Where
  /** Renders the button that names the part. A press on it shows the whole list. */
  toggle?: (onShowWhole: () => void) => ReactNode
  /**
   * Renders what is shown if the part has no records. `showAll` is the text of the button that shows the whole list: 'Show all contacts'.
   */
  empty?: (mine: boolean, showAll: string, onShowAll: () => void) => ReactNode
  /** Rendered with the board. Shows nothing, but scrolls to the column that the URL names. */
  aim?: ReactNode
  /** The id of the stage whose column the URL names. The column is unfolded at first. */
  stageId?: string
}

interface PartWords {
  /** The lists that have this part: the names of the lists in the URL. */
  lists: readonly string[]
  part: ListPart
  label: string
  none: string
}

const partWords: readonly PartWords[] = [
  { lists: ['deals'], part: 'open', label: 'Open stages', none: 'No deals in open stages' },
  {
    lists: ['deals'],
    part: 'closing-this-month',
    label: 'Closing this month',
    none: 'No open deals close this month',
  },
  {
    lists: ['contacts', 'companies'],
    part: 'added-this-week',
    label: 'Added this week',
    none: 'Nothing was added this week',
  },
  { lists: ['tasks'], part: 'overdue', label: 'Overdue', none: 'No overdue tasks' },
  { lists: ['tasks'], part: 'due-this-week', label: 'Due this week', none: 'No tasks due this week' },
  { lists: ['tasks'], part: 'due-today', label: 'Due today', none: 'No more tasks due today' },
]

/**
 * The CSS classes of the paragraph around the button that names the part, by list. These lists have no bar, so the button is below the
 * title. In the other lists (`barToggleClasses`) the button is in the bar, and on the phone below the bar.
 */
const toggleClasses: Record<string, string> = { deals: '-mt-2 px-6 pb-3 max-sm:mt-0 max-sm:px-4', tasks: 'pt-3' }
const barToggleClasses = 'max-sm:order-1 max-sm:basis-full'

/**
 * Returns the part of a list that the URL parameter `show` names. On the board it can also name a stage by its id. Unknown values are
 * ignored.
 */
export function partOf(list: string, show: string): ShownPart {
  const words = partWords.find(({ lists, part }) => part === show && lists.includes(list))
  if (words) return listPart(list, words)
  return list === 'deals' ? { aim: <ScrollToStage key={show} id={show} />, stageId: show } : {}
}

function listPart(list: string, { part, label, none }: PartWords): ShownPart {
  return {
    where: () => partConditions(part, new Date()),
    toggle: (onShowWhole) => (
      <p className={toggleClasses[list] ?? barToggleClasses}>
        <PartToggle label={label} onShowWhole={onShowWhole} />
      </p>
    ),
    empty: (mine, showAll, onShowAll) => (
      <EmptyState
        drawing="search"
        title={none}
        description={mine ? 'Only your own are shown.' : undefined}
        actions={<Button onClick={onShowAll}>{showAll}</Button>}
      />
    ),
  }
}

/** Scrolls to a column of the board, focuses it, and shows a ring while it is focused. */
function ScrollToStage({ id }: { id: string }) {
  useEffect(() => {
    const column = document.querySelector<HTMLElement>(`[data-stage="${CSS.escape(id)}"]`)
    if (!column) return
    column.scrollIntoView({ inline: 'center', block: 'nearest' })
    // The attribute is set only here. Otherwise a click between the cards would focus the column.
    column.tabIndex = -1
    column.focus({ preventScroll: true })
    column.addEventListener('blur', () => column.removeAttribute('tabindex'), { once: true })
  }, [id])
  return null
}

function PartToggle({ label, onShowWhole }: { label: string; onShowWhole: () => void }) {
  return (
    <Button
      aria-pressed
      onClick={() => {
        // The focused button is removed, so keyboard users continue from the top of the page.
        document.getElementById('main')?.focus()
        onShowWhole()
      }}
      className="aria-pressed:bg-accent-soft aria-pressed:text-accent-text aria-pressed:ring-accent"
    >
      {label}
      <CloseIcon className="-mr-1 size-3.5" />
    </Button>
  )
}
