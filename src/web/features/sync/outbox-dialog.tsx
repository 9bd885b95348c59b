import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useState } from 'react'
import { beginCorrection } from '#web/data/changes/begin-correction.ts'
import { type QueueLine, useQueue } from '#web/data/changes/queue-lines.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { useNavigate } from '#web/lib/routing/use-router.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import {
  AddPersonIcon,
  BuildingIcon,
  HandshakeIcon,
  DeleteIcon,
  EditIcon,
  MoveIcon,
  PlusIcon,
  ChecklistIcon,
  TagIcon,
  UndoIcon,
} from '#web/ui/icons.tsx'
import { AttentionLine } from './attention-line.tsx'
import { SignInHint } from './sign-in-hint.tsx'

const loadConflictDialog = async () => (await import('./conflict-dialog.tsx')).ConflictDialog
const ConflictDialog = lazyDialog(loadConflictDialog)

const icons = {
  move: MoveIcon,
  edit: EditIcon,
  add: PlusIcon,
  contact: AddPersonIcon,
  company: BuildingIcon,
  deal: HandshakeIcon,
  task: ChecklistIcon,
  tag: TagIcon,
  delete: DeleteIcon,
  restore: UndoIcon,
}

/** The outbox of this device: first the operations that need attention, then those waiting to be sent. */
export function OutboxDialog({ onClose }: { onClose: () => void }) {
  const device = useDevice()
  const { isReady, attention, waiting } = useQueue()
  const [decidingId, setDecidingId] = useState<string | null>(null)
  const navigate = useNavigate()
  const openCorrection = (id: string) => {
    const table = beginCorrection(device, id)
    if (!table) return
    onClose()
    void navigate({ to: `/crm/${table}` })
  }
  const hasConflict = attention.some(({ state }) => state === 'conflict')
  useEffect(() => {
    // Loaded now, because the connection may be lost later.
    if (hasConflict) loadConflictDialog().catch(() => {})
  }, [hasConflict])
  const decide = async (id: string) => {
    await loadConflictDialog().catch(() => {
      throw new Error('This question cannot be loaded without a connection. Try again when it is back.')
    })
    setDecidingId(id)
  }
  const line = attention.find(({ id, state }) => id === decidingId && state === 'conflict')
  if (line) return <ConflictDialog key={line.id} open line={line} onClose={() => setDecidingId(null)} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={attention.length > 0 ? 'Needs attention' : 'Changes on this device'}
      count={attention.length}
      width="small"
    >
      <SignInHint />
      {isReady && attention.length === 0 && waiting.length === 0 && (
        <p className="pb-2 text-sm text-ink2">All changes saved</p>
      )}
      <ul>
        {attention.map((operation) => (
          <AttentionLine
            key={operation.id}
            line={operation}
            onDecide={() => decide(operation.id)}
            onEdit={() => openCorrection(operation.id)}
          />
        ))}
      </ul>
      {waiting.length > 0 && (
        <>
          <h3 className="-mx-6 flex items-center gap-2 border-y border-line bg-sunken px-6 py-2 text-sm max-sm:-mx-5 max-sm:px-5">
            Waiting <CountBadge count={waiting.length} />
          </h3>
          <ul>
            {waiting.map((operation) => (
              <WaitingLine key={operation.id} line={operation} />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

function WaitingLine({ line }: { line: QueueLine }) {
  const Icon = icons[line.icon]
  return (
    <li className="flex gap-3 border-b border-line py-3 text-sm last:border-0">
      <Icon className="mt-0.5 shrink-0 text-ink3" />
      <div className="min-w-0">
        <p className="font-medium break-words">{line.title}</p>
        <p className="num text-ink2">
          {formatMoment(line.at)}
          {line.reason && ` · ${line.reason}`}
        </p>
      </div>
    </li>
  )
}
