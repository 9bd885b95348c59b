import { useRef, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { bringBackCustomField, moveCustomField, retireCustomField } from '#web/data/change-fields.ts'
import { type CustomTable, useAllCustomFields } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { keepFocusInCard } from '#web/ui/keep-focus.ts'
import { toast } from '#web/ui/toast.ts'
import { useReorder } from '#web/ui/use-reorder.ts'
import { FieldDialog, type FieldEdit } from './field-dialog.tsx'
import { FieldRow, RetiredRow } from './field-row.tsx'

interface FieldListProps {
  table: CustomTable
  title: string
  /** The word for one record of the table: 'contact'. */
  one: string
  mayDefine: boolean
}

/** The custom fields of one table, in their order; below them the retired ones. */
export function FieldList({ table, title, one, mayDefine }: FieldListProps) {
  const device = useDevice()
  const allFields = useAllCustomFields(table)
  const fields = allFields.filter(({ retired_at }) => retired_at === null)
  const retired = allFields.filter(({ retired_at }) => retired_at !== null)
  const [edit, setEdit] = useState<FieldEdit | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const byId = new Map(fields.map((field) => [field.id, field]))
  const { list, shown, dragged, handle } = useReorder({
    ids: fields.map(({ id }) => id),
    nameOf: (id) => byId.get(id)?.label ?? '',
    onMove: (_, id, index) => {
      const field = byId.get(id)
      if (field) return showOutcome(moveCustomField(device, field, index, fields))
    },
  })
  const bringBack = (field: CustomField) => showOutcome(bringBackCustomField(device, field), `“${field.label}” is back`)
  const retire = (field: CustomField) => {
    const undo = { label: 'Undo', run: () => void showOutcome(bringBackCustomField(device, field)) }
    void showOutcome(retireCustomField(device, field), `“${field.label}” retired`, undo)
    addButton.current?.focus()
  }
  return (
    <Card ref={keepFocusInCard} aria-label={`Fields of ${title.toLowerCase()}`} className="p-6 max-sm:p-4">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{title}</h2>
        {mayDefine && (
          <Button ref={addButton} icon={<PlusIcon />} onClick={() => setEdit({ field: null })}>
            Add field
          </Button>
        )}
      </div>
      {fields.length === 0 ? (
        <p className="mt-2 text-sm text-ink2">No fields of your own yet</p>
      ) : (
        <ul ref={list} aria-label={`Fields of ${title.toLowerCase()}, in order`} className="mt-2">
          {shown.map((id) => {
            const field = byId.get(id)
            if (!field) return null
            return (
              <FieldRow
                key={id}
                field={field}
                handle={mayDefine ? handle(id) : null}
                isDragged={dragged === id}
                onEdit={() => setEdit({ field })}
                onRetire={() => retire(field)}
              />
            )
          })}
        </ul>
      )}
      {retired.length > 0 && (
        <details className="group mt-3 text-sm">
          <summary className="w-fit cursor-pointer rounded-control text-ink2 select-none hover:text-ink">
            Retired <span className="num">({retired.length})</span>
          </summary>
          <ul className="mt-1" aria-label={`Retired fields of ${title.toLowerCase()}`}>
            {retired.map((field) => (
              <RetiredRow
                key={field.id}
                field={field}
                mayDefine={mayDefine}
                onBringBack={() => void bringBack(field)}
              />
            ))}
          </ul>
        </details>
      )}
      {edit && (
        <FieldDialog
          key={edit.field?.id ?? 'new'}
          open
          edit={edit}
          table={table}
          one={one}
          onClose={() => setEdit(null)}
        />
      )}
    </Card>
  )
}

/** Shows the outcome of a change in a toast: the error, or what was done. */
async function showOutcome(
  change: Promise<Outcome>,
  doneText?: string,
  action?: { label: string; run: () => void },
): Promise<void> {
  const outcome = await change
  if (outcome.status === 'refused') toast.error('Error updating field', { description: outcome.message })
  else if (doneText) toast.success(doneText, { ...(action && { action }) })
}
