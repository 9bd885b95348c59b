import { limits } from '#shared/limits.ts'
import { deleteWithUndo } from '#web/crm/delete-with-undo.ts'
import { TagChip, TagDot } from '#web/crm/tag-chip.tsx'
import { useDevice } from '#web/data/browser/device.ts'
import { countsInWords } from '#web/data/people/member-records.ts'
import type { Tag } from '#web/data/server/rows.ts'
import { failureOf } from '#web/data/session/outcome.ts'
import type { TagCount } from '#web/data/tag-counts.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { countOf } from '#web/lib/count.ts'
import { tagColors } from '#web/lib/tag-colors.ts'
import { EditText } from '#web/ui/edit-in-place/edit-text.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { DeleteIcon, MergeIcon, MoreIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

interface TagRowProps {
  tag: Tag
  /** The number of records with the tag; null if no record has it, undefined if unknown. */
  count: TagCount | null | undefined
  mayChange: boolean
  /** Null if there is no other tag. */
  onMerge: (() => void) | null
}

/** A tag in Settings: its colour and name, edited in place, the number of its records, and its actions. */
export function TagRow({ tag, count, mayChange, onMerge }: TagRowProps) {
  const device = useDevice()
  const { id, name, color } = tag
  if (!mayChange)
    return (
      <li className="flex min-h-10 items-center justify-between gap-3 border-b border-line last:border-0">
        <TagChip name={name} color={color} />
        <RecordCount count={count} />
      </li>
    )
  return (
    <li className="flex min-h-10 items-center gap-2 border-b border-line last:border-0">
      <Menu
        label={`Colour of ${name}`}
        align="start"
        trigger={<IconButton label={`Colour of ${name}: ${color}`} size={28} icon={<TagDot color={color} large />} />}
      >
        {tagColors.map((each) => (
          <MenuItem
            key={each}
            icon={<TagDot color={each} large />}
            checked={each === color}
            onSelect={() => void updateRecord(device, 'tags', id, { color: each })}
          >
            {each.charAt(0).toUpperCase() + each.slice(1)}
          </MenuItem>
        ))}
      </Menu>
      <div className="min-w-0 flex-1 px-2">
        <EditText
          bare
          label={`Name of tag ${name}`}
          value={name}
          maxLength={limits.tags.name}
          check={nameProblem}
          onSave={(text) => failureOf(updateRecord(device, 'tags', id, { name: text }))}
        />
      </div>
      <RecordCount count={count} />
      <Menu
        label={`Tag ${name}`}
        trigger={<IconButton label={`More for ${name}`} size={28} icon={<MoreIcon />} tooltip={false} />}
      >
        <MenuItem icon={<MergeIcon />} disabled={!onMerge} onSelect={() => onMerge?.()}>
          Merge into…
        </MenuItem>
        <MenuItem danger icon={<DeleteIcon />} onSelect={() => deleteWithUndo(device, 'tags', [id])}>
          Delete tag
        </MenuItem>
      </Menu>
    </li>
  )
}

function RecordCount({ count }: Pick<TagRowProps, 'count'>) {
  if (count === undefined) return <span className="text-xs text-ink3">–</span>
  const { contacts = 0, companies = 0, deals = 0 } = count ?? {}
  const recordCount = contacts + companies + deals
  const countsAboveZero = Object.fromEntries(
    Object.entries({ contacts, companies, deals }).filter(([, number]) => number > 0),
  )
  return (
    <span
      className="num shrink-0 text-xs text-ink3"
      title={recordCount > 0 ? countsInWords(countsAboveZero) : undefined}
    >
      {countOf(recordCount, 'record', 'records')}
    </span>
  )
}

function nameProblem(text: string): string | null {
  if (!text.trim()) return 'Tag name is required'
  return /[,;]/.test(text) ? 'A tag has no comma and no semicolon in its name' : null
}
