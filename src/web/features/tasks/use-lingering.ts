import { useCallback, useEffect, useRef, useState } from 'react'
import type { RecordList } from '#web/data/query/record-list.ts'
import type { TaskEntry } from '#web/data/tasks.ts'

/** How long a completed task stays in its place (ms). */
const stayMs = 1_200
/** How long the row of the task then takes to collapse (ms). */
const collapseMs = 180

export interface ShownTask {
  /** Undefined if the task is not on this device yet. */
  entry: TaskEntry | undefined
  /** Whether the task was just completed. */
  done: boolean
  /** Whether the row is shrinking before it disappears. */
  collapsing: boolean
}

export interface LingeringTasks {
  total: number
  at(index: number): ShownTask
  /** Fetches the visible rows that are not on this device (`Rows.want`). Call it in an effect. */
  want: RecordList<TaskEntry>['want']
  /** Keeps a task in its place for a moment after it has left the list. */
  linger(entry: TaskEntry, index: number): void
  /** Stops `linger` for this task. Call it if the task is reopened before it has disappeared. */
  release(id: string): void
}

interface LeavingTask {
  entry: TaskEntry
  index: number
  collapsing: boolean
  /** Identifies the tick of the task: if the task is reopened and ticked again, the timers of the first tick do nothing. */
  tick: symbol
}

/** Returns the open tasks, with the tasks that were just completed still in their places, so that a tick is visible and can be undone. */
export function useLingering(list: RecordList<TaskEntry>): LingeringTasks {
  const [leavingTasks, setLeavingTasks] = useState<readonly LeavingTask[]>([])
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const { current } = timers
    return () => current.forEach((timer) => clearTimeout(timer))
  }, [])

  const release = useCallback(
    (id: string) => setLeavingTasks((all) => all.filter(({ entry }) => entry.task.id !== id)),
    [],
  )
  const linger = (entry: TaskEntry, index: number) => {
    const tick = Symbol(entry.task.id)
    const after = (milliseconds: number, act: () => void) => {
      const timer = setTimeout(() => {
        timers.current.delete(timer)
        act()
      }, milliseconds)
      timers.current.add(timer)
    }
    const collapse = (each: LeavingTask) => (each.tick === tick ? { ...each, collapsing: true } : each)
    setLeavingTasks((all) => [...all, { entry, index, collapsing: false, tick }].sort((a, b) => a.index - b.index))
    after(stayMs, () => setLeavingTasks((all) => all.map(collapse)))
    after(stayMs + collapseMs, () => setLeavingTasks((all) => all.filter((each) => each.tick !== tick)))
  }

  const tasksOffList = leavingTasks.filter(
    ({ entry, index }) => !isStillListed(list, entry.task.id, index, leavingTasks.length),
  )
  const at = (index: number): ShownTask => {
    const offListAbove = tasksOffList.filter((each) => each.index < index).length
    const taskHere = tasksOffList.find((each) => each.index === index)
    if (taskHere) return { entry: taskHere.entry, done: true, collapsing: taskHere.collapsing }
    const entry = list.at(index - offListAbove)
    const ticked = leavingTasks.find((each) => each.entry.task.id === entry?.task.id)
    return { entry, done: ticked !== undefined, collapsing: false }
  }
  // The indexes that `want` gets also count the lingering tasks, so they may be too high by a few. If such an index belongs to the next page of
  // the list, a row above it requests the right page.
  return { total: list.total + tasksOffList.length, at, want: list.want, linger, release }
}

/** Whether the list still has the completed task, at `index` or at most `maxDistance` rows above. Then the task is not added a second time. */
function isStillListed(list: RecordList<TaskEntry>, id: string, index: number, maxDistance: number): boolean {
  for (let at = Math.max(0, index - maxDistance); at <= Math.min(index, list.total - 1); at += 1) {
    if (list.at(at)?.task.id === id) return true
  }
  return false
}
