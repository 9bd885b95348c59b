import { lazyFormDialog } from '#web/ui/lazy-dialog.tsx'
import type { NewTaskProps } from './new-task-form.tsx'

const LazyNewTask = lazyFormDialog(async () => (await import('./new-task-form.tsx')).NewTaskForm)

/** The form for a new task. It is reset for another contact, deal or company. */
export function NewTaskDialog(props: NewTaskProps) {
  const { contact, deal } = props.preset ?? {}
  return <LazyNewTask key={`${contact?.id} ${deal?.id} ${props.company?.id}`} {...props} />
}
