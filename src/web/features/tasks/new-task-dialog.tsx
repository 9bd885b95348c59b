import { lazy, Suspense, useState } from 'react'
import type { NewTaskProps } from './new-task-form.tsx'

const NewTaskForm = lazy(async () => ({ default: (await import('./new-task-form.tsx')).NewTaskForm }))

/** The 'New Task' dialog. Its form is fetched when it is opened the first time, so that no page carries it. */
export function NewTaskDialog(props: NewTaskProps) {
  const { open, preset } = props
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  const about = `${preset?.contact?.id} ${preset?.deal?.id}`
  return <Suspense fallback={null}>{wanted && <NewTaskForm key={about} {...props} />}</Suspense>
}
