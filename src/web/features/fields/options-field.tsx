import { useRef } from 'react'
import type { CustomField } from '#web/data/server/rows.ts'
import { newId } from '#web/lib/new-id.ts'
import { isComposing } from '#web/lib/is-composing.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { CloseIcon, GripIcon, PlusIcon } from '#web/ui/icons.tsx'
import { Input } from '#web/ui/input.tsx'
import { useReorder } from '#web/ui/use-reorder.ts'

export type Option = Pick<CustomField['options'][number], 'id' | 'label'>

interface OptionsFieldProps {
  options: readonly Option[]
  onChange: (options: readonly Option[]) => void
  error: string | null
}

/** Edits the options of a field, in their order. Enter in an option adds another option below. */
export function OptionsField({ options, onChange, error }: OptionsFieldProps) {
  const byId = new Map(options.map((option) => [option.id, option]))
  const { list, shown, dragged, handle } = useReorder({
    ids: options.map(({ id }) => id),
    nameOf: (id) => byId.get(id)?.label ?? '',
    onMove: (ids) => onChange(ids.flatMap((id) => byId.get(id) ?? [])),
    // No pause before `onMove`, because the form may be submitted right after a move.
    pauseMs: 0,
  })
  const addedId = useRef<string | null>(null)
  const addAt = (index: number) => {
    const option = { id: newId(), label: '' }
    addedId.current = option.id
    onChange(options.toSpliced(index, 0, option))
  }
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Options</legend>
      <ul ref={list} className="flex flex-col gap-1.5">
        {shown
          .flatMap((id) => byId.get(id) ?? [])
          .map((option, index) => (
            <li
              key={option.id}
              className={`flex items-center gap-1 ${dragged === option.id ? 'z-1 rounded-control bg-raised shadow-pop' : ''}`}
            >
              <button
                type="button"
                {...handle(option.id)}
                aria-label={`Move option ${index + 1}`}
                className="-ml-2 flex size-7 shrink-0 cursor-grab items-center justify-center rounded-control text-ink3 hover:bg-hover hover:text-ink max-sm:size-11"
              >
                <GripIcon />
              </button>
              <Input
                ref={(input) => {
                  if (!input || addedId.current !== option.id) return
                  addedId.current = null
                  input.focus()
                }}
                aria-label={`Option ${index + 1}`}
                value={option.label}
                maxLength={100}
                autoComplete="off"
                onChange={({ target }) => onChange(options.with(index, { ...option, label: target.value }))}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || isComposing(event)) return
                  event.preventDefault()
                  addAt(index + 1)
                }}
                className="flex-1"
              />
              <IconButton
                label={`Remove option ${index + 1}`}
                icon={<CloseIcon />}
                size={28}
                onClick={() => onChange(options.filter((each) => each !== option))}
              />
            </li>
          ))}
      </ul>
      <Button variant="quiet" icon={<PlusIcon />} onClick={() => addAt(options.length)} className="-ml-2 self-start">
        Add option
      </Button>
      {error && (
        <p role="alert" className="text-xs text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Returns the active options; two new, empty ones if there are none. */
export function activeOptions(options: CustomField['options']): readonly Option[] {
  const active = options.filter(({ retired }) => !retired)
  return active.length > 0 ? active : [newOption(), newOption()]
}

/** Returns what is wrong with these options, or null. */
export function optionsProblem(options: readonly Option[]): string | null {
  const labels = options.map(({ label }) => label.trim().toLowerCase()).filter(Boolean)
  if (labels.length === 0) return 'Add an option'
  return new Set(labels).size < labels.length ? 'Two options have the same name' : null
}

function newOption(): Option {
  return { id: newId(), label: '' }
}
