import { useState } from 'react'
import { limits } from '#shared/limits.ts'
import type { ColouredStage } from '#web/crm/stage-tone.ts'
import { StageDot } from '#web/crm/stage-badge.tsx'
import { useDevice } from '#web/data/browser/device.ts'
import { addStage, saveStage, type StageValues } from '#web/data/change-stages.ts'
import type { DealStage } from '#web/data/server/rows.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { announce } from '#web/ui/live-region.ts'
import { useKindWarning } from './kind-warning.ts'
import { toastStageRefusal } from './stage-refusal.ts'

const kindOptions = [
  { value: 'open', label: 'Open' },
  { value: 'won', label: 'Won' },
  { value: 'lost', label: 'Lost' },
] as const

/** Edits the fields of a stage. `stage` is null for a new stage, which is added to the pipeline `pipelineId`. */
export function StageDialog({
  open,
  pipelineId,
  stage,
  onClose,
  onDelete,
}: {
  open: boolean
  pipelineId: string
  stage: DealStage | null
  onClose: () => void
  onDelete: (stage: DealStage) => void
}) {
  const device = useDevice()
  const [name, setName] = useState(stage?.name ?? '')
  const [kind, setKind] = useState<DealStage['kind']>(stage?.kind ?? 'open')
  const [color, setColor] = useState(stage?.color ?? null)
  const [typedProbability, setTypedProbability] = useState(textOf(stage?.probability))
  const [typedDays, setTypedDays] = useState(textOf(stage?.usual_days))
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const { isCounting, warning } = useKindWarning(stage, kind)
  const probabilityPercent = parseWholeNumber(typedProbability, 0, 100)
  const usualDays = parseWholeNumber(typedDays, 1, 3650)

  const save = async () => {
    if (pending || isCounting) return
    if (!name.trim()) return setError('Stage name required')
    if (probabilityPercent === undefined || usualDays === undefined) return
    const values: StageValues = {
      name: name.trim(),
      kind,
      color,
      probability: probabilityPercent,
      usual_days: usualDays,
    }
    setPending(true)
    const outcome = stage ? await saveStage(device, stage, values) : await addStage(device, pipelineId, values)
    setPending(false)
    if (toastStageRefusal(stage ? 'Error changing stage' : 'Error adding stage', outcome)) return
    announce(stage ? `${values.name} saved` : `${values.name} added`)
    onClose()
  }

  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={() => void save()}
      pending={pending}
      width="small"
      title={stage ? 'Edit stage' : 'New stage'}
      footer={
        <>
          {stage && (
            <Button
              size="form"
              variant="quiet"
              className="mr-auto text-danger!"
              disabled={pending}
              onClick={() => onDelete(stage)}
            >
              Delete
            </Button>
          )}
          <Button size="form" onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" pending={pending} disabled={isCounting}>
            {stage ? 'Save' : 'Add stage'}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-2 gap-x-4 gap-y-5">
        <Field label="Stage name" error={error} className="col-span-full">
          <Input
            data-autofocus
            aria-required
            autoComplete="off"
            maxLength={limits.deal_stages.name}
            value={name}
            onChange={({ target }) => {
              setName(target.value)
              setError(null)
            }}
          />
        </Field>
        <Field
          label="Deals in it are"
          hint={warning && <span className="text-sm text-warn">{warning}</span>}
          className="col-span-full"
        >
          <Select value={kind} options={kindOptions} onChange={setKind} />
        </Field>
        <Field
          label="Probability"
          error={probabilityPercent === undefined ? 'A number from 0 to 100' : null}
          hint="That a deal is won"
        >
          <Input
            inputMode="numeric"
            autoComplete="off"
            value={typedProbability}
            trailing={<span className="pr-1.5">%</span>}
            onChange={({ target }) => setTypedProbability(target.value)}
          />
        </Field>
        <Field
          label="Usual time"
          error={usualDays === undefined ? 'A number from 1 to 3,650' : null}
          hint="A deal that is in this stage for longer is marked"
        >
          <Input
            inputMode="numeric"
            autoComplete="off"
            value={typedDays}
            trailing={<span className="pr-1.5">days</span>}
            onChange={({ target }) => setTypedDays(target.value)}
          />
        </Field>
        <ColourChoice name={name} color={color} onChange={setColor} />
      </div>
    </Dialog>
  )
}

const colorChoices: readonly DealStage['color'][] = [null, 'grey', 'slate', 'blue', 'violet', 'amber', 'green', 'red']

/** A dot for each colour. The first one stands for the colour that follows from the stage's name. */
function ColourChoice({
  name,
  color,
  onChange,
}: ColouredStage & { color: DealStage['color']; onChange: (color: DealStage['color']) => void }) {
  return (
    <fieldset className="col-span-full">
      <legend className="mb-1.5 text-sm font-medium">Colour</legend>
      <div className="flex flex-wrap gap-1.5">
        {colorChoices.map((choice) => (
          <label
            key={choice ?? ''}
            title={choice ?? 'By its name'}
            className="relative flex h-8 min-w-8 cursor-pointer items-center justify-center gap-2 rounded-control px-2 text-xs ring-1 ring-line2 ring-inset hover:bg-hover has-checked:ring-2 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent max-sm:h-11 max-sm:min-w-11"
          >
            <input
              type="radio"
              name="color"
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
              checked={choice === color}
              onChange={() => onChange(choice)}
            />
            <StageDot stage={{ name, color: choice }} />
            <span className={choice ? 'sr-only' : 'text-ink2'}>{choice ?? 'By name'}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function textOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value)
}

/**
 * Reads a text as a whole number; a '%' at its end is ignored. Returns null if the text is empty, and undefined if the rest is not a whole number
 * from `min` to `max`.
 */
function parseWholeNumber(text: string, min: number, max: number): number | null | undefined {
  if (text.trim() === '') return null
  const digits = text.trim().replace(/\s*%$/, '')
  const value = Number(digits)
  return digits !== '' && Number.isInteger(value) && value >= min && value <= max ? value : undefined
}
