import { useEffect, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { usePeople } from '#web/data/people/people.ts'
import { type TaskEntry, useOpenTasks } from '#web/data/tasks.ts'
import { cx } from '#web/lib/class-names.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Link } from '#web/ui/link.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import { Segments, TabPanel } from '#web/ui/tabs.tsx'
import { DueTask } from './due-task.tsx'
import { toggleTask } from './toggle-task.ts'
import { useLingering } from './use-lingering.ts'
import { readTaskScope, storeTaskScope, type TaskScope } from './task-scope.ts'

const scopeTabs = [
  { value: 'mine', label: 'Mine' },
  { value: 'everyone', label: 'Everyone' },
] as const

/**
 * The next due tasks on the overview. In a team, a switch chooses between the person's own tasks (the default) and everyone's.
 * `limit`: the maximum number of tasks.
 */
export function TasksDue({
  limit,
  className,
  onShown,
}: {
  limit: number
  className?: string
  /** Called when the tasks are shown, and so the height of the card is final. */
  onShown?: () => void
}) {
  const people = usePeople()
  const isTeam = people.members.length > 1
  const [chosenScope, setChosenScope] = useState(readTaskScope)
  const scope = isTeam ? chosenScope : 'everyone'
  const choose = (next: TaskScope) => {
    setChosenScope(next)
    storeTaskScope(next)
  }
  const mine = scope === 'mine'
  return (
    <Card aria-label="Tasks due" className={cx('p-5 pb-3 max-sm:p-4', className)}>
      <div className="mb-1 flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="text-14/5">Tasks due</h2>
        {isTeam && (
          <Segments
            id="due"
            label="Whose tasks"
            value={scope}
            onChange={choose}
            tabs={scopeTabs}
            className="order-1 -my-2 w-40 max-sm:order-2 max-sm:my-0 max-sm:w-full"
          />
        )}
        <Link
          to="/crm/tasks"
          search={mine ? { mine: 1 } : {}}
          className="order-2 ml-auto rounded-badge text-accent-text hover:underline max-sm:relative max-sm:z-1 max-sm:order-1 max-sm:-my-3 max-sm:-mr-2 max-sm:px-2 max-sm:py-3"
        >
          {mine ? 'All my tasks' : 'All tasks'}
        </Link>
      </div>
      {isTeam ? (
        <TabPanel id="due" value={scope}>
          <DueList key={scope} mine={mine} limit={limit} onShown={onShown} onShowEveryone={() => choose('everyone')} />
        </TabPanel>
      ) : (
        <DueList mine={false} limit={limit} isKnown={people.ready} onShown={onShown} />
      )}
    </Card>
  )
}

/** The tasks of the card. `isKnown`: whether this device knows already if the brand has more than one member. */
function DueList({
  mine,
  limit,
  isKnown = true,
  onShown,
  onShowEveryone,
}: {
  mine: boolean
  limit: number
  isKnown?: boolean
  onShown?: (() => void) | undefined
  onShowEveryone?: () => void
}) {
  const device = useDevice()
  const now = useNow()
  const people = usePeople()
  const list = useOpenTasks({ mine })
  const tasks = useLingering(list)
  const phase = useSkeleton(list.ready && isKnown)
  const isShown = phase === 'content'
  useEffect(() => {
    if (isShown) onShown?.()
  }, [isShown, onShown])
  const indexes = Array.from({ length: Math.min(limit, tasks.total) }, (_, index) => index)
  const toggle = (entry: TaskEntry, index: number, done: boolean) => {
    if (done) tasks.release(entry.task.id)
    else tasks.linger(entry, index)
    void toggleTask(device, entry.task.id, done ? 'open' : 'done')
  }
  if (!isShown) return <PlaceholderTasks shown={phase === 'skeleton'} />
  if (tasks.total === 0 && mine)
    return (
      <div className="flex flex-wrap items-center justify-between gap-3 py-3">
        <p className="text-ink3">No open tasks of yours</p>
        <Button onClick={onShowEveryone}>Show everyone’s</Button>
      </div>
    )
  if (tasks.total === 0) return <p className="py-3 text-ink3">No open tasks</p>
  const assigneeOf = ({ task }: TaskEntry) => (people.members.length > 1 ? people.byId(task.assignee_id) : null)
  return (
    <ul>
      {indexes.map((index) => {
        const { entry, done } = tasks.at(index)
        if (!entry) return null
        return (
          <DueTask
            key={entry.task.id}
            task={entry.task}
            now={now}
            done={done}
            assignee={mine ? null : assigneeOf(entry)}
            onToggle={() => toggle(entry, index, done)}
          />
        )
      })}
    </ul>
  )
}

function PlaceholderTasks({ shown: visible }: { shown: boolean }) {
  return (
    <div className={visible ? undefined : 'invisible'}>
      {[0, 1, 2, 3, 4].map((index) => (
        <div key={index} className="flex h-10 items-center gap-3 max-sm:h-14">
          <Skeleton className="size-4.5 rounded-full" />
          <Skeleton className="h-3.5 w-40" />
          <Skeleton className="ml-auto h-3.5 w-20" />
        </div>
      ))}
    </div>
  )
}
