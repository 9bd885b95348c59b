import { toast } from './toast.ts'

interface Undoable {
  /** 'Deal deleted', '3 contacts deleted'. */
  done: string
  /** Title of the error where it was refused: 'Error deleting deal'. */
  failed: string
  /** What becomes of it, as `data/` tells it: a refusal brings its message. */
  outcome: Promise<{ status: string; message?: string }>
  undo: () => Promise<{ status: string; message?: string }>
}

/** Says at once what was done, with 'Undo' for 10 s; when it turns out that the server refused it, says that instead. */
export function undoToast({ done, failed, outcome, undo }: Undoable): void {
  const run = () => void undo().then((undone) => tellRefusal('Undo failed', undone))
  toast.success(done, { action: { label: 'Undo', run } })
  void outcome.then((told) => tellRefusal(failed, told))
}

function tellRefusal(title: string, { status, message }: { status: string; message?: string }): void {
  if (status === 'refused') toast.error(title, message === undefined ? {} : { description: message })
}
