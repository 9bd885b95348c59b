import type { useReorder } from '#web/ui/use-reorder.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { cx } from '#web/lib/class-names.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { EditIcon, GripIcon, MoreIcon, RetireIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { typeWords } from './field-types.ts'

interface FieldRowProps {
  field: CustomField
  /** The attributes of the handle that moves the field; null if the person may not define fields. */
  handle: ReturnType<ReturnType<typeof useReorder>['handle']> | null
  isDragged: boolean
  onEdit: () => void
  onRetire: () => void
}

/** A row for an active field: its handle, label, type and actions. */
export function FieldRow({ field, handle, isDragged, onEdit, onRetire }: FieldRowProps) {
  const actions = `Actions for ${field.label}`
  return (
    <li
      className={cx(
        'relative flex min-h-12 items-center gap-2 border-b border-line py-1.5 last:border-0',
        isDragged && 'z-1 -mx-2 rounded-control bg-raised px-2 shadow-pop',
      )}
    >
      {handle && (
        <button
          type="button"
          {...handle}
          aria-label={`Move ${field.label}`}
          title="Drag, or press the arrow keys"
          className="-ml-2 flex size-7 shrink-0 cursor-grab items-center justify-center rounded-control text-ink3 hover:bg-hover hover:text-ink active:cursor-grabbing max-sm:size-11"
        >
          <GripIcon />
        </button>
      )}
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{field.label}</p>
        <p title={typeWords(field)} className="truncate text-xs text-ink2 max-sm:text-13/4">
          {typeWords(field)}
        </p>
      </div>
      {field.required && <Badge>Required</Badge>}
      {handle && (
        <Menu
          label={actions}
          trigger={<IconButton label={actions} tooltip={false} icon={<MoreIcon />} className="-mr-2" />}
        >
          <MenuItem icon={<EditIcon />} onSelect={onEdit}>
            Edit
          </MenuItem>
          <MenuItem icon={<RetireIcon />} onSelect={onRetire}>
            Retire
          </MenuItem>
        </Menu>
      )}
    </li>
  )
}

interface RetiredRowProps {
  field: CustomField
  mayDefine: boolean
  onBringBack: () => void
}

/** A row for a retired field. Its values are kept. */
export function RetiredRow({ field, mayDefine, onBringBack }: RetiredRowProps) {
  return (
    <li className="flex min-h-11 items-center gap-3 border-b border-line py-1.5 last:border-0">
      <div className="min-w-0 flex-1 text-ink2">
        <p className="wrap-anywhere">{field.label}</p>
        <p className="truncate text-xs">{typeWords(field)}</p>
      </div>
      {mayDefine && (
        <Button onClick={onBringBack} aria-label={`Bring back ${field.label}`}>
          Bring back
        </Button>
      )}
    </li>
  )
}
