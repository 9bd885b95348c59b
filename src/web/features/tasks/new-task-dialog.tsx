import { lazy, Suspense, useState } from 'react'

const NewTaskForm = lazy(async () => ({ default: (await import('./new-task-form.tsx')).NewTaskForm }))

/** The 'New Task' dialog. Its form is fetched when it is opened the first time, so that no page carries it. */
export function NewTaskDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  return <Suspense fallback={null}>{wanted && <NewTaskForm open={open} onClose={onClose} />}</Suspense>
}
