import { type BrandData, openBrand, sortedList } from '#web/data/store/brand-data.ts'
import { brought } from '#web/data/query/brought.ts'
import { contactName } from '#web/data/store/contact-name.ts'
import { newRow } from '#web/data/changes/correction.ts'
import { EntryCache } from '#web/data/query/entry-cache.ts'
import { listView } from '#web/data/query/list-view.ts'
import { listKey, type ListOptions, readListKey } from '#web/data/query/list-options.ts'
import { myId } from '#web/data/store/my-id.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { insert, update } from '#web/data/changes/mutate.ts'
import type { RecordList } from '#web/data/query/record-list.ts'
import { related } from '#web/data/query/related.ts'
import { readPage } from '#web/data/server/rest-page.ts'
import type { Task, TaskPriority, TaskStatus } from '#web/data/server/rows.ts'
import { SortedList } from '#web/data/store/sorted-list.ts'
import { consequences } from '#web/data/changes/update-record.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOf, type View, view } from '#web/data/query/view.ts'

export interface TaskEntry {
  task: Task
  contactName: string | null
  dealName: string | null
  waiting: boolean
}

interface CompletedTasks {
  ready: boolean
  entries: readonly TaskEntry[]
}

/** The completed list shows so many (spec section 9). */
const completedLimit = 10

const noList: RecordList<TaskEntry> = { ready: false, total: 0, at: () => undefined, searching: false }
const noCompleted: CompletedTasks = { ready: false, entries: [] }

/** Open tasks by due date, those without one last. The first entries are also the overview's 'Tasks due'. */
export function useOpenTasks(options: Pick<ListOptions, 'mine'> = {}): RecordList<TaskEntry> {
  return useView(openTasks, listKey('', options), noList)
}

/** The 10 tasks completed last (spec section 9). */
export function useCompletedTasks(options: Pick<ListOptions, 'mine'> = {}): CompletedTasks {
  return useView(completedTasks, listKey('', options), noCompleted)
}

export interface NewTask {
  title: string
  /** ISO date and time with offset, or null. */
  due_at: string | null
  priority: TaskPriority
  contact_id: string | null
  deal_id: string | null
  /** Default: the person signed in. */
  assignee_id?: string | null
}

/** Failure 'Error creating task'; success 'Task created' (spec section 8). `corrected`: as `newRow`. */
export function createTask(task: NewTask, corrected?: string): Promise<Outcome> {
  const assignee_id = task.assignee_id === undefined ? myId() : task.assignee_id
  const values = { ...task, title: task.title.trim(), status: 'open', assignee_id }
  const preview = { completed_at: null }
  const title = `New task “${values.title}”`
  return insert({ table: 'tasks', ...newRow(corrected), title, icon: 'task', values, preview })
}

/** Failure 'Failed to update task'; success 'Task completed!' or 'Task reopened' (spec sections 4 and 8). */
export function setTaskStatus(id: string, status: TaskStatus): Promise<Outcome> {
  const title = openBrand.get()?.tables.tasks.get(id)?.title ?? ''
  const verb = status === 'done' ? 'Complete' : 'Reopen'
  return update({
    table: 'tasks',
    rowId: id,
    title: `${verb} “${title}”`,
    icon: 'task',
    values: { status },
    preview: consequences('tasks', { status }),
    lastWriteStands: true,
  })
}

const entries = new EntryCache<Task, TaskEntry>()

/** A task as lists show it. */
export function taskEntry(data: BrandData, task: Task): TaskEntry {
  const contact = contactName(related(data, 'contacts', task.contact_id))
  const deal = related(data, 'deals', task.deal_id)?.name ?? null
  const waiting = data.tables.tasks.isWaiting(task.id)
  return entries.get(task, [contact, deal, waiting], () => ({ task, contactName: contact, dealName: deal, waiting }))
}

/** The list behind `useOpenTasks`, by `listKey`. */
export function openTasks(data: BrandData, key: string): View<RecordList<TaskEntry>> {
  const { mine } = readListKey(key)
  return listView({
    data,
    table: 'tasks',
    name: 'open',
    order: byDueDate,
    belongs: isOpen,
    matches: mine ? (task) => task.assignee_id === data.userId : null,
    shows: [data.tables.contacts, data.tables.deals],
    entry: (task) => taskEntry(data, task),
    fetchPage: async (offset, signal) => {
      const order = [
        { column: 'due_at', ascending: true, nullsFirst: false },
        { column: 'id', ascending: true },
      ]
      const page = await readPage({
        ...data,
        table: 'tasks',
        equal: { status: 'open', ...(mine && { assignee_id: data.userId }) },
        order,
        offset,
        limit: 100,
        signal,
      })
      return { ...page, named: [] }
    },
  })
}

/** The view behind `useCompletedTasks`, by `listKey`. */
export function completedTasks(data: BrandData, key: string): View<CompletedTasks> {
  const { mine } = readListKey(key)
  const sources = [
    data.tables.tasks,
    data.tables.contacts,
    data.tables.deals,
    sourceOf(data.loaded),
    sourceOf(data.answered),
  ]
  const inner = view(sources, () => {
    const { rows } = sortedList(
      data,
      'tasks',
      'completed',
      () => new SortedList(lastCompletedFirst, (task) => !isOpen(task)),
    )
    const ready = data.loaded.get() && (data.tables.tasks.size > 0 || data.answered.get())
    const shown = mine ? rows.filter((task) => task.assignee_id === data.userId) : rows
    return { ready, entries: shown.slice(0, completedLimit).map((task) => taskEntry(data, task)) }
  })
  return brought(inner, {
    data,
    table: 'tasks',
    fetchSome: async (signal) => {
      const equal = { status: 'done', ...(mine && { assignee_id: data.userId }) }
      const order = [
        { column: 'completed_at', ascending: false },
        { column: 'id', ascending: true },
      ]
      const query = { ...data, table: 'tasks' as const, equal, order, offset: 0, limit: completedLimit }
      return { ...(await readPage({ ...query, signal })), named: [] }
    },
  })
}

function isOpen(task: Task): boolean {
  return task.status === 'open'
}

/** Open ones by due date, then those done last. */
export function taskOrder(a: Task, b: Task): number {
  if (isOpen(a) !== isOpen(b)) return isOpen(a) ? -1 : 1
  return isOpen(a) ? byDueDate(a, b) : lastCompletedFirst(a, b)
}

/** By due date, without one last, then id. Moments are compared as such: what waits here is written with another offset than SQL's. */
function byDueDate(a: Task, b: Task): number {
  return due(a) - due(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

function due(task: Task): number {
  return task.due_at ? Date.parse(task.due_at) : Number.MAX_SAFE_INTEGER
}

/** What was just completed here has no time from the server yet: it comes first. */
function lastCompletedFirst(a: Task, b: Task): number {
  const [first, second] = [a.completed_at ?? '9999', b.completed_at ?? '9999']
  if (first !== second) return first < second ? 1 : -1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}
