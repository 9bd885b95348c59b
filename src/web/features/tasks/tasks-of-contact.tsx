import { useTasksOfContact } from '#web/data/related-records.ts'
import { RelatedTasks } from './related-tasks.tsx'

/** The tasks of a contact in its panel. */
export function TasksOfContact({ id }: { id: string }) {
  return <RelatedTasks list={useTasksOfContact(id)} />
}
