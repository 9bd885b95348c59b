import { discardOperation, type QueueLine, restoreDeleted, retryOperation, useQueue } from '#web/data/sync-status.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import {
  AddContactIcon,
  AlertIcon,
  CompanyIcon,
  DealIcon,
  DeleteIcon,
  EditIcon,
  MoveIcon,
  TasksIcon,
  UndoIcon,
} from '#web/ui/icons.tsx'
import { ConflictChoice } from './conflict-choice.tsx'

const icons = {
  move: MoveIcon,
  edit: EditIcon,
  contact: AddContactIcon,
  company: CompanyIcon,
  deal: DealIcon,
  task: TasksIcon,
  delete: DeleteIcon,
  restore: UndoIcon,
}

/** The queue of this device: what needs attention, then what waits to be sent. */
export function QueueDialog({ onClose }: { onClose: () => void }) {
  const { ready, attention, waiting } = useQueue()
  const empty = ready && attention.length === 0 && waiting.length === 0
  return (
    <Dialog
      open
      onClose={onClose}
      title={attention.length > 0 ? 'Needs attention' : 'Changes on this device'}
      width="small"
    >
      {empty && <p className="pb-2 text-sm text-ink2">All changes saved</p>}
      <ul>
        {attention.map((line) => (
          <AttentionLine key={line.id} line={line} />
        ))}
      </ul>
      {waiting.length > 0 && (
        <>
          <h3 className="-mx-6 flex items-center gap-2 border-y border-line bg-sunken px-6 py-2 text-sm">
            Waiting <CountBadge count={waiting.length} />
          </h3>
          <ul>
            {waiting.map((line) => (
              <WaitingLine key={line.id} line={line} />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

function AttentionLine({ line }: { line: QueueLine }) {
  return (
    <li className="flex gap-3 border-b border-line py-3 text-sm last:border-0">
      <AlertIcon className="mt-0.5 text-danger" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{line.title}</p>
        {line.reason && <p className="text-danger">{line.reason}</p>}
        {line.state === 'conflict' ? (
          <ConflictChoice line={line} />
        ) : (
          <div className="mt-2 flex gap-2">
            <Button onClick={() => void (line.state === 'deleted' ? restoreDeleted(line.id) : retryOperation(line.id))}>
              {line.state === 'deleted' ? 'Restore' : 'Retry'}
            </Button>
            <Button variant="quiet" onClick={() => void discardOperation(line.id)}>
              Discard
            </Button>
          </div>
        )}
      </div>
    </li>
  )
}

function WaitingLine({ line }: { line: QueueLine }) {
  const Icon = icons[line.icon]
  return (
    <li className="flex gap-3 border-b border-line py-3 text-sm last:border-0">
      <Icon className="mt-0.5 text-ink3" />
      <div className="min-w-0">
        <p className="font-medium">{line.title}</p>
        <p className="num text-ink3">
          {formatMoment(line.at)}
          {line.reason && ` · ${line.reason}`}
        </p>
      </div>
    </li>
  )
}
