import { useEffect, useRef, useState } from 'react'
import type { CustomField } from '#web/data/server/rows.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ColumnsIcon } from '#web/ui/icons.tsx'
import { useBackCloses } from '#web/ui/use-back-closes.ts'
import { useCloseFromOutside, usePopup } from '#web/ui/use-popup.ts'
import { maxColumns } from './use-columns.ts'

interface ColumnChooserProps {
  fields: readonly CustomField[]
  columns: readonly CustomField[]
  onChoose: (ids: readonly string[]) => void
}

/** The button at the end of the table's head that chooses which custom fields are columns. */
export function ColumnChooser({ fields, columns, onChoose }: ColumnChooserProps) {
  const [open, setOpen] = useState(false)
  const frame = useRef<HTMLSpanElement>(null)
  const panel = useRef<HTMLFieldSetElement>(null)
  const close = () => {
    setOpen(false)
    frame.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  usePopup(open, frame, panel, { align: 'end' })
  useCloseFromOutside(open, [panel, frame], () => setOpen(false))
  useBackCloses(open, close)
  // Runs after the list is shown, because a hidden element cannot get the focus. Without the focus, Escape would not work.
  useEffect(() => {
    if (open) panel.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [open])
  const ids = columns.map(({ id }) => id)
  const isFull = ids.length >= maxColumns
  return (
    // Covers the column heads that scroll below the button.
    <span
      ref={frame}
      className="pointer-events-none absolute top-0 right-0 z-10 flex h-8.75 items-center bg-bg pr-5 before:absolute before:inset-y-0 before:right-full before:w-4 before:bg-linear-to-l before:from-bg before:to-transparent *:pointer-events-auto @max-[57.75rem]:hidden"
    >
      <IconButton
        label="Columns"
        icon={<ColumnsIcon />}
        size={28}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <fieldset
          ref={panel}
          popover="manual"
          aria-label="Columns"
          className="rise w-64 rounded-card bg-raised p-1.5 text-sm text-ink shadow-pop"
          onKeyDown={(event) => {
            // The event must not reach the table below, which would also handle the key.
            event.stopPropagation()
            if (event.key === 'Escape' || event.key === 'Enter') {
              event.preventDefault()
              close()
            }
          }}
        >
          <div className="max-h-80 overflow-y-auto">
            {fields.map(({ id, label }) => (
              <label
                key={id}
                className="flex min-h-8 items-center gap-3 rounded-control px-2.5 py-1 select-none hover:bg-hover has-disabled:text-ink3 dark:hover:bg-active"
              >
                <Checkbox
                  checked={ids.includes(id)}
                  disabled={isFull && !ids.includes(id)}
                  onChange={({ target }) => onChoose(target.checked ? [...ids, id] : ids.filter((each) => each !== id))}
                />
                <span className="min-w-0 wrap-anywhere">{label}</span>
              </label>
            ))}
          </div>
          <p className="px-2.5 py-1 text-xs text-ink3">Up to {maxColumns} fields, on this device</p>
        </fieldset>
      )}
    </span>
  )
}
