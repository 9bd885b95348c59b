import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { addBackLayer } from './back-layers.ts'
import { editableValueClasses } from './edit-in-place/edit-row.tsx'
import { Checkbox } from './checkbox.tsx'
import { useFieldControl } from './field.tsx'
import { ChevronsIcon } from './icons.tsx'
import { fieldHeightClasses, type FieldSize } from './input.tsx'
import { useBackCloses } from './use-back-closes.ts'
import { useCloseFromOutside, usePopup } from './use-popup.ts'

export interface ChoicesProps {
  value: readonly string[]
  options: readonly { value: string; label: string }[]
  /** Called once when the list closes, if other options are ticked than before. */
  onChange: (value: readonly string[]) => void
  placeholder?: string
  size?: FieldSize
  /** True if the field has no border until the pointer is over it, as in a row that is edited in place. */
  quiet?: boolean
  'aria-label'?: string
}

/**
 * A field in which several of a few options can be chosen: a button that opens a list of checkboxes. Arrow keys move in the list, and Space ticks an
 * option. Enter, Escape, Tab and Back close the list. The ticked options take effect when the list closes.
 */
export function Choices(props: ChoicesProps) {
  const { value, options, onChange, placeholder = 'Choose…', size = 'form', quiet = false } = props
  const { labelId, ...control } = useFieldControl()
  const [ticked, setTicked] = useState<readonly string[] | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const popup = useRef<HTMLFieldSetElement>(null)
  const open = ticked !== null
  const chosenValues = ticked ?? value
  const chosenLabels = options.filter((option) => chosenValues.includes(option.value)).map(({ label }) => label)
  const close = () => {
    setTicked(null)
    if (ticked && (ticked.length !== value.length || ticked.some((each) => !value.includes(each)))) onChange(ticked)
  }
  const closeWithFocus = () => {
    close()
    button.current?.focus({ preventScroll: true })
  }
  usePopup(open, button, popup, { matchWidth: true })
  // Runs after the list is shown, because a hidden element cannot get the focus.
  useEffect(() => {
    if (open) popup.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [open])
  useCloseFromOutside(open, [button, popup], close)
  useBackCloses(open, close, addBackLayer)
  return (
    <>
      <button
        ref={button}
        type="button"
        {...control}
        aria-haspopup="dialog"
        aria-labelledby={labelId && control.id ? `${labelId} ${control.id}` : undefined}
        aria-expanded={open}
        aria-label={props['aria-label'] && `${props['aria-label']}: ${chosenLabels.join(', ') || 'none'}`}
        onClick={() => (open ? close() : setTicked(value))}
        data-in-place={quiet ? '' : undefined}
        className={
          quiet
            ? editableValueClasses
            : cx('field-frame w-full gap-2 px-3 text-left text-base', fieldHeightClasses[size])
        }
      >
        <span className={cx('min-w-0 flex-1 truncate', chosenLabels.length === 0 && 'text-ink3')}>
          {chosenLabels.join(', ') || placeholder}
        </span>
        {!quiet && <ChevronsIcon className="shrink-0 text-ink3" />}
      </button>
      {open && (
        <fieldset
          ref={popup}
          popover="manual"
          aria-label={props['aria-label'] ?? 'Options'}
          className="rise max-h-80 w-max min-w-44 max-w-[min(20rem,100vw-1rem)] overflow-y-auto rounded-card bg-raised p-1.5 text-sm shadow-pop outline-none"
          onKeyDown={(event) => {
            // The event must not reach the page, whose shortcuts are letters.
            event.stopPropagation()
            if (event.key === 'Escape' || event.key === 'Enter' || event.key === 'Tab') {
              event.preventDefault()
              return closeWithFocus()
            }
            const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
            if (step === 0) return
            event.preventDefault()
            const boxes = [...event.currentTarget.querySelectorAll('input')]
            const focusedIndex = boxes.findIndex((box) => box === document.activeElement)
            boxes.at((focusedIndex + step) % boxes.length)?.focus()
          }}
        >
          {options.map((option) => (
            <ChoiceLine key={option.value}>
              <Checkbox
                checked={chosenValues.includes(option.value)}
                onChange={({ target }) =>
                  setTicked(
                    target.checked
                      ? [...chosenValues, option.value]
                      : chosenValues.filter((each) => each !== option.value),
                  )
                }
              />
              <span className="min-w-0 wrap-anywhere">{option.label}</span>
            </ChoiceLine>
          ))}
        </fieldset>
      )}
    </>
  )
}

function ChoiceLine({ children }: { children: ReactNode }) {
  return (
    <label className="flex min-h-8 items-center gap-3 rounded-control px-2.5 py-1 select-none hover:bg-hover max-sm:min-h-12 dark:hover:bg-active">
      {children}
    </label>
  )
}
