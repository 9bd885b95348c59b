import type { Device } from '#web/data/browser/device.ts'
import { identityOfNewRow } from '#web/data/changes/correction.ts'
import { insert, update } from '#web/data/changes/mutate.ts'
import { fieldsSetByDatabase } from '#web/data/changes/update-record.ts'
import { entriesOf, loadedEntries, listWithoutScroller } from '#web/data/query/entries-of.ts'
import { noList, type RecordList } from '#web/data/query/record-list.ts'
import { RowMemo } from '#web/data/query/row-memo.ts'
import { listKey, type ListOptions, readListKey } from '#web/data/query/list-options.ts'
import { searchText } from '#web/data/query/search-text.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { Task, TaskPriority, TaskStatus } from '#web/data/server/rows.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { contactName } from '#web/data/store/contact-name.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'
import { myId } from '#web/data/store/my-id.ts'
import { newestFirst } from '#web/data/store/sorted-list.ts'
import { dueTime } from '#web/lib/due-day.ts'

/** A task as lists show it. `waiting`: true if operations on the task wait to be sent. */
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

/** Maximum number of tasks in the list of completed tasks (spec section 9). */
const completedLimit = 10

const noCompleted: CompletedTasks = { ready: false, entries: [] }

/** Returns the open tasks by due date. Tasks without a due date come last. The overview's 'Tasks due' shows the first entries. */
export function useOpenTasks(options: Pick<ListOptions, 'mine' | 'where'> = {}): RecordList<TaskEntry> {
  return useView(openTasks, listKey('', options), noList)
}

/** Returns the tasks that were completed last, at most 10 (spec section 9). */
export function useCompletedTasks(options: Pick<ListOptions, 'mine'> = {}): CompletedTasks {
  return useView(completedTasks, listKey('', options), noCompleted)
}

export interface NewTask {
  title: string
  /** ISO date and time with UTC offset, or null. For a day without a time, this is the moment that `momentOfDay` returns. */
  due_at: string | null
  priority: TaskPriority
  contact_id: string | null
  deal_id: string | null
  /** The repetition (lib/series.ts). */
  repeats?: string | null
  /** Default: the signed-in user. */
  assignee_id?: string | null
}

/**
 * Creates a task. The screen shows 'Error creating task' after a failure and 'Task created' after a success (spec section 8). `givenId`: see
 * `identityOfNewRow`.
 */
export function createTask(device: Device, task: NewTask, givenId?: string): Promise<Outcome> {
  const assignee_id = task.assignee_id === undefined ? myId(device) : task.assignee_id
  const { repeats = null, ...given } = task
  // Earlier servers do not know `repeats`, so it is sent only if it is set.
  const values = { ...given, ...(repeats && { repeats }), title: task.title.trim(), status: 'open', assignee_id }
  const preview = { completed_at: null, repeats }
  const title = `New task “${values.title}”`
  return insert(device, { table: 'tasks', ...identityOfNewRow(givenId), title, icon: 'task', values, preview })
}

/**
 * Completes or reopens a task. The screen shows 'Failed to update task' after a failure, and 'Task completed!' or 'Task reopened' after a success
 * (spec sections 4 and 8).
 */
export function setTaskStatus(device: Device, id: string, status: TaskStatus): Promise<Outcome> {
  const title = openBrand(device).get()?.tables.tasks.get(id)?.title ?? ''
  const verb = status === 'done' ? 'Complete' : 'Reopen'
  return update(device, {
    table: 'tasks',
    rowId: id,
    title: `${verb} “${title}”`,
    icon: 'task',
    values: { status },
    preview: fieldsSetByDatabase(device, 'tasks', { status }),
    lastWriteStands: true,
  })
}

const entries = new RowMemo<Task, TaskEntry>()

/** Returns the entry of a task in lists. */
export function taskEntry(data: BrandData, task: Task): TaskEntry {
  const { contacts, deals } = data.tables
  const contact = contactName(task.contact_id ? contacts.get(task.contact_id) : undefined)
  const deal = (task.deal_id && deals.get(task.deal_id)?.name) || null
  const waiting = data.tables.tasks.isWaiting(task.id)
  return entries.get(task, [contact, deal, waiting], () => ({ task, contactName: contact, dealName: deal, waiting }))
}

/** Creates the view that `useOpenTasks` reads. `key` is a `listKey`. */
export function openTasks(data: BrandData, key: string): View<RecordList<TaskEntry>> {
  const { mine, where } = readListKey(key)
  const conditions = { status: 'open', ...(mine && { assignee_id: data.userId }), ...where }
  return entriesOf(data, { table: 'tasks', where: conditions, order: 'due' }, taskEntry)
}

/** Creates the view that `useCompletedTasks` reads. `key` is a `listKey`. */
export function completedTasks(data: BrandData, key: string): View<CompletedTasks> {
  const { mine } = readListKey(key)
  const where = { status: 'done', ...(mine && { assignee_id: data.userId }) } as const
  const done = listWithoutScroller(
    entriesOf(data, { table: 'tasks', where, order: 'completed', limit: completedLimit }, taskEntry),
  )
  return view([sourceOfView(done)], () => {
    const list = done.read()
    return { ready: list.ready, entries: loadedEntries(list) }
  })
}

function isOpen(task: Task): boolean {
  return task.status === 'open'
}

/** Compares two tasks for an order with open tasks first, by due date, and then completed ones, latest first. */
export function taskOrder(a: Task, b: Task): number {
  if (isOpen(a) !== isOpen(b)) return isOpen(a) ? -1 : 1
  return isOpen(a) ? byDueDate(a, b) : lastCompletedFirst(a, b)
}

/**
 * Compares tasks by due date, with null last, then by id. Dates are compared as moments, because the texts of waiting operations have another UTC
 * offset than those of SQL's rows. Days are compared by their end in this time zone.
 */
function byDueDate(a: Task, b: Task): number {
  return dueMs(a) - dueMs(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

function dueMs(task: Task): number {
  return task.due_at ? dueTime(task.due_at) : Number.MAX_SAFE_INTEGER
}

/**
 * The task that was completed last comes first. A completed task without a time of completion comes before all others.
 */
function lastCompletedFirst(a: Task, b: Task): number {
  const [first, second] = [a.completed_at ?? '9999', b.completed_at ?? '9999']
  if (first !== second) return first < second ? 1 : -1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** How tasks are searched and ordered on this device, in the same way as in SQL. */
export const taskDefinition: TableDefinition<Task> = {
  matches: (_, task, word) => searchText(task, searchedTexts).includes(word),
  orders: {
    newest: { compare: () => newestFirst },
    due: { compare: () => byDueDate },
    completed: { compare: () => lastCompletedFirst },
  },
  references: { contact_id: 'contacts', deal_id: 'deals' },
}

function searchedTexts(task: Task): readonly (string | null)[] {
  return [task.title]
}
