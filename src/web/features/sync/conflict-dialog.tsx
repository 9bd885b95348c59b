import { useDevice } from '#web/data/browser/device.ts'
import { useEffect, useState } from 'react'
import { followConflict } from '#web/data/changes/follow-conflict.ts'
import { type LineConflict, otherDevice, type QueueLine } from '#web/data/changes/queue-lines.ts'
import { resolveConflict } from '#web/data/changes/resolve-conflict.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { MergeIcon } from '#web/ui/icons.tsx'
import { ValueChoice } from '#web/ui/value-choice.tsx'

type Side = 'mine' | 'theirs'

/**
 * Asks, for each field in conflict, which value is right: the person's or the colleague's. If the colleague changes the record meanwhile, shows the
 * newer values and says so.
 */
export function ConflictDialog({ line, onClose }: { line: QueueLine; onClose: () => void }) {
  const device = useDevice()
  const [chosenSides, setChosenSides] = useState<Readonly<Record<string, Side>>>({})
  const { id } = line
  useEffect(() => followConflict(device, id), [device, id])
  const [firstConflicts] = useState(line.conflicts)
  const isChanged = line.conflicts.some(({ field, theirs }) => {
    const shownFirst = firstConflicts.find((each) => each.field === field)
    return shownFirst?.theirs !== theirs
  })
  const sideOf = ({ field }: LineConflict) => chosenSides[field] ?? 'mine'
  const [first, ...more] = line.conflicts
  const who = line.theirsBy ?? 'A colleague'
  const onlyConflict = more.length === 0 ? first : undefined
  const decide = () => {
    void resolveConflict(device, id, chosenSides)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={onlyConflict ? `Which ${onlyConflict.name} is right?` : 'Which is right?'}
      description={<ConflictText line={line} only={onlyConflict} />}
      onSubmit={decide}
      footer={
        <>
          <Button variant="quiet" size="form" onClick={onClose}>
            Decide later
          </Button>
          <Button type="submit" variant="primary" size="form" className="min-w-0">
            <span className="truncate">
              {onlyConflict ? `Keep ${valueText(onlyConflict[sideOf(onlyConflict)])}` : 'Keep these'}
            </span>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5 pt-2">
        {line.conflicts.map((conflict, index) => (
          <ValueChoice
            key={conflict.field}
            legend={onlyConflict ? null : conflict.name}
            name={`${line.id}-${conflict.field}`}
            isFirst={index === 0}
            value={sideOf(conflict)}
            onChange={(side) => setChosenSides((before) => ({ ...before, [conflict.field]: side }))}
            options={[
              {
                value: 'mine',
                label: 'Yours',
                detail: `${formatMoment(line.at)}${line.wasOffline ? ', while offline' : ''}`,
                shown: valueText(conflict.mine),
              },
              {
                value: 'theirs',
                label: who,
                detail: line.theirsAt ? formatMoment(line.theirsAt) : '',
                shown: valueText(conflict.theirs),
              },
            ]}
          />
        ))}
        <p role="status" className="text-sm text-ink2 empty:hidden">
          {isChanged && `${who} changed it again meanwhile. The newer value is shown.`}
        </p>
        {line.otherFields.length > 0 && (
          <p className="flex items-center gap-2.5 text-sm text-ink2">
            <MergeIcon className="text-ink3" />
            {mergedWords(line.otherFields)}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function ConflictText({ line, only }: { line: QueueLine; only: LineConflict | undefined }) {
  const name = line.theirsBy ?? 'a colleague'
  const who = name === otherDevice ? otherDevice.toLowerCase() : name
  const record = line.name ? `“${line.name}”` : `this ${line.word}`
  if (!only) return `You and ${who} both changed ${record}.`
  // There is no earlier value if a new record was merged into an existing one.
  if (only.base === undefined)
    return `You changed the ${only.name} of ${record}, which already existed when you added it.`
  const previousValue = only.base === null ? 'It was empty.' : `It was ${valueText(only.base)}.`
  return `You and ${who} both changed the ${only.name} of ${record}. ${previousValue}`
}

/** Returns a sentence about the fields without a conflict: 'Your change of expected close date is saved either way.' */
function mergedWords(fields: readonly string[]): string {
  return `Your change of ${new Intl.ListFormat('en-GB').format(fields)} is saved either way.`
}

function valueText(value: unknown): string {
  if (typeof value === 'string' && value) return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'Nothing'
}
