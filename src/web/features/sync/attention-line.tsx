import { type Device, useDevice } from '#web/data/browser/device.ts'
import { Suspense, useState } from 'react'
import type { QueueLine } from '#web/data/changes/queue-lines.ts'
import { discardOperation, restoreDeleted, retryOperation } from '#web/data/changes/queue-actions.ts'
import { membershipsOf } from '#web/data/people/brands.ts'
import { useBrandData } from '#web/data/store/brand-data.ts'
import { countOf } from '#web/lib/count.ts'
import { useObservable } from '#web/lib/observable.ts'
import { Button, type ButtonProps } from '#web/ui/button.tsx'
import { AlertIcon } from '#web/ui/icons.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'

const RefusedNote = lazyComponent(async () => (await import('./refused-note.tsx')).RefusedNote)

interface AttentionLineProps {
  line: QueueLine
  /** Opens the dialog that asks which of two values is right. Rejects with a sentence for the user if its code does not load. */
  onDecide: () => Promise<void>
  /** Opens the form for a new record, with the typed values. */
  onEdit: () => void
}

/** An operation that needs attention: the brand, if another brand is open, the reason and the possible actions. */
export function AttentionLine({ line, onDecide, onEdit }: AttentionLineProps) {
  const device = useDevice()
  const openBrandId = useBrandData()?.brandId
  const { memberships } = useObservable(membershipsOf(device))
  const otherBrand = memberships.find(({ brandId }) => brandId === line.brandId && brandId !== openBrandId)
  const [pending, setPending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const runAction = async (action: (device: Device, id: string) => Promise<void>) => {
    setPending(true)
    setFailure(null)
    try {
      await action(device, line.id)
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
    setPending(false)
  }
  const isDeleted = line.state === 'deleted'
  const lineButton = (label: string, props: ButtonProps) => (
    <Button disabled={pending} aria-label={`${label}: ${line.title}`} {...props}>
      {label}
    </Button>
  )
  return (
    <li className="flex gap-3 border-b border-line py-3.5 text-sm last:border-0">
      <AlertIcon className="mt-0.5 shrink-0 text-danger" />
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{line.title}</p>
        {otherBrand && <p className="text-ink2 break-words">In the brand {otherBrand.name}</p>}
        <p className="text-danger break-words">{line.state === 'conflict' ? conflictSentence(line) : line.reason}</p>
        {line.dependentCount > 0 && (
          <p className="mt-0.5 text-ink2">
            {countOf(line.dependentCount, 'later change waits', 'later changes wait')} for it
          </p>
        )}
        {failure && (
          <p role="alert" className="mt-1 text-danger">
            {failure}
          </p>
        )}
        {line.word === 'note' && (
          <Suspense>
            <RefusedNote line={line} />
          </Suspense>
        )}
        <div className="mt-2 flex flex-wrap gap-2">
          {line.state === 'conflict' ? (
            lineButton('Decide', { onClick: () => void runAction(onDecide), 'aria-haspopup': 'dialog' })
          ) : (
            <>
              {line.canCorrect && lineButton('Edit', { onClick: onEdit, 'aria-haspopup': 'dialog' })}
              {line.state !== 'newer' &&
                lineButton(isDeleted ? 'Restore' : 'Retry', {
                  pending,
                  onClick: () => void runAction(isDeleted ? restoreDeleted : retryOperation),
                })}
              {lineButton(line.dependentCount > 0 ? `Discard all ${line.dependentCount + 1}` : 'Discard', {
                variant: 'quiet',
                onClick: () => void runAction(discardOperation),
              })}
            </>
          )}
        </div>
      </div>
    </li>
  )
}

function conflictSentence({ conflicts, theirsBy }: QueueLine): string {
  const names = conflicts.map(({ name }) => name)
  return `${theirsBy ?? 'A colleague'} changed the ${names.join(' and the ')} too.`
}
