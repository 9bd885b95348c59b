import type { Outcome } from './outcome.ts'
import type { RecordList } from './record-list.ts'
import type { Task, TaskPriority, TaskStatus } from './rows.ts'

export interface TaskEntry {
  task: Task
  contactName: string | null
  dealName: string | null
  waiting: boolean
}

/** Open tasks by due date, those without one last. The first entries are also the overview's 'Tasks due'. */
export function useOpenTasks(): RecordList<TaskEntry> {
  return { ready: false, total: 0, at: () => undefined, searching: false }
}

/** The 10 tasks completed last (spec section 9). */
export function useCompletedTasks(): { ready: boolean; entries: readonly TaskEntry[] } {
  return { ready: false, entries: [] }
}

export interface NewTask {
  title: string
  /** ISO date and time with offset, or null. */
  due_at: string | null
  priority: TaskPriority
  contact_id: string | null
  deal_id: string | null
}

/** Failure 'Error creating task'; success 'Task created' (spec section 8). */
export function createTask(_task: NewTask): Promise<Outcome> {
  return Promise.resolve({ status: 'refused', message: '', code: null })
}

/** Failure 'Failed to update task'; success 'Task completed!' or 'Task reopened' (spec sections 4 and 8). */
export function setTaskStatus(_id: string, _status: TaskStatus): Promise<Outcome> {
  return Promise.resolve({ status: 'refused', message: '', code: null })
}
