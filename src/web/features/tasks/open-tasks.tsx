import { useDevice } from '#web/data/browser/device.ts'
import { type CSSProperties, type ReactNode, type Ref, type RefObject, useEffect, useMemo } from 'react'
import { Virtualizer } from 'virtua'
import { usePeople } from '#web/data/people/people.ts'
import type { RecordList } from '#web/data/query/record-list.ts'
import type { TaskEntry } from '#web/data/tasks.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatCount } from '#web/lib/count.ts'
import { useNow } from '#web/lib/use-now.ts'
import { FetchWhenVisible } from '#web/ui/fetch-when-visible.tsx'
import { keepFocusInRows } from '#web/ui/keep-focus.ts'
import { type DueGroup, dueGroup } from './due-group.ts'
import { groupCount } from './group-count.ts'
import { postponeTask } from './postpone.ts'
import { PlaceholderTask, TaskRow } from './task-row.tsx'
import { toggleTask } from './toggle-task.ts'
import { type LingeringTasks, useLingering } from './use-lingering.ts'

/**
 * The open tasks by due date, under the headings from Overdue to No date. `scroller` is the scrolling element. Only visible rows are
 * mounted.
 */
export function OpenTasks({
  list,
  currentId,
  scroller,
  above,
  empty,
}: {
  list: RecordList<TaskEntry>
  /** The task whose panel is open. */
  currentId: string | null
  scroller: RefObject<HTMLElement | null>
  /** Distance between the top of the scrolling content and the list (px). */
  above: number
  /** Shown if there is no task. After the last task is completed, shown only when that task has disappeared. */
  empty: ReactNode
}) {
  const device = useDevice()
  const now = useNow()
  const tasks = useLingering(list)
  const people = usePeople()
  const isOnlyMember = people.members.length < 2
  const data = useMemo(() => ({ length: tasks.total }), [tasks.total])
  useEffect(() => keepFocusInRows(scroller.current), [scroller])

  const toggle = (entry: TaskEntry, index: number, done: boolean) => {
    const { id } = entry.task
    if (done) tasks.release(id)
    else tasks.linger(entry, index)
    void toggleTask(device, id, done ? 'open' : 'done')
  }

  if (tasks.total === 0) return empty
  return (
    <Virtualizer data={data} as={ListBox} itemSize={57} scrollRef={scroller} startMargin={above}>
      {(_: undefined, index: number) => {
        const { entry, done, collapsing } = tasks.at(index)
        if (!entry)
          return (
            <div key={`place-${index}`}>
              <FetchWhenVisible list={tasks} index={index} />
              <PlaceholderTask />
            </div>
          )
        const group = dueGroup(entry.task.due_at, now)
        const previousEntry = index > 0 ? tasks.at(index - 1).entry : undefined
        const isFirst =
          index === 0 || (previousEntry !== undefined && dueGroup(previousEntry.task.due_at, now) !== group)
        return (
          // The list hides an item until it is measured at its new index, and a hidden task loses the focus. The class `visible` prevents that.
          <div
            key={entry.task.id}
            role="listitem"
            aria-posinset={index + 1}
            aria-setsize={list.hasMore ? -1 : tasks.total}
            data-index={index}
            className="visible"
          >
            <FetchWhenVisible list={tasks} index={index} />
            {isFirst && <GroupHeading tasks={tasks} start={index} group={group} now={now} />}
            <TaskRow
              {...{ entry, group, now, done, collapsing }}
              assignee={isOnlyMember ? null : people.byId(entry.task.assignee_id)}
              current={entry.task.id === currentId}
              onToggle={() => toggle(entry, index, done)}
              onPostpone={(days) => void postponeTask(device, entry.task, days)}
            />
          </div>
        )
      }}
    </Virtualizer>
  )
}

function ListBox({ style, children, ref }: { style: CSSProperties; children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} role="list" aria-label="Open Tasks" style={style}>
      {children}
    </div>
  )
}

function GroupHeading({
  tasks,
  start,
  group,
  now,
}: {
  tasks: LingeringTasks
  start: number
  group: DueGroup
  now: Date
}) {
  const { count, unknown } = groupCount(tasks, start, group, now)
  const { want } = tasks
  useEffect(() => {
    if (unknown !== null) want(unknown)
  }, [want, unknown])
  return (
    <h3
      className={cx(
        'flex items-center gap-2 border-b border-line bg-bg px-[var(--row-inset,1rem)] py-2 text-xs font-medium max-sm:bg-sunken dark:sm:bg-transparent max-sm:text-13',
        group === 'Overdue' ? 'text-danger' : 'text-ink2',
      )}
    >
      {group}
      {count !== null && <span className="num font-normal text-ink3">{formatCount(count)}</span>}
    </h3>
  )
}
