import type { Device } from '#web/data/browser/device.ts'
import { identityOfNewRow } from '#web/data/changes/correction.ts'
import { insertByRpc, updateAll } from '#web/data/changes/mutate.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { chunksOf } from '#web/data/server/request-size.ts'
import { combinedOutcome, type Outcome } from '#web/data/session/outcome.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { editedSet, idsIn, type SetEdit } from '#web/data/store/set-edit.ts'
import { countOf } from '#web/lib/count.ts'
import { type TagColor, tagColors } from '#web/lib/tag-colors.ts'
import { tagNamed } from './tags.ts'

/** Maximum number of tags of a record. */
export const maxTagsOfRecord = 30

/**
 * Adds a tag (`upsert_tag`). The tag is shown before this function returns, also offline. If a tag with this name is on this device, returns that
 * tag. Without a colour, the tag gets the colour that the fewest tags have. Admins and owners only.
 */
export function addTag(device: Device, name: string, color?: TagColor): { id: string; outcome: Promise<Outcome> } {
  const data = openBrand(device).get()
  const trimmed = name.trim()
  const known = data && tagNamed([...data.tables.tags.values()], trimmed)
  if (known) return { id: known.id, outcome: Promise.resolve({ status: 'saved', id: known.id }) }
  const { rowId } = identityOfNewRow(undefined)
  const values = { name: trimmed, color: color ?? leastUsedColor(data) }
  const outcome = insertByRpc(device, {
    table: 'tags',
    rowId,
    title: `Add tag ${trimmed}`,
    icon: 'tag',
    call: {
      name: 'upsert_tag',
      args: { p_brand_id: data?.brandId, p_name: trimmed, p_color: values.color, p_id: rowId },
    },
    preview: values,
  })
  return { id: rowId, outcome }
}

function leastUsedColor(data: BrandData | null): TagColor {
  const usedColors = [...(data?.tables.tags.values() ?? [])].map(({ color }) => color)
  const usesOf = (color: TagColor) => usedColors.filter((each) => each === color).length
  return tagColors.reduce((best, color) => (usesOf(color) < usesOf(best) ? color : best))
}

/** Changes the tags of one record. Tags that others add or remove meanwhile are kept. */
export function setTags(device: Device, table: OwnedTable, id: string, edit: SetEdit): Promise<Outcome> {
  const row = openBrand(device).get()?.tables[table].get(id)
  return updateRecord(device, table, id, { tag_ids: editedSet(row?.tag_ids, edit) })
}

/**
 * Adds tags to several records and removes others, a hundred records per request. The change is shown before this function returns, also offline.
 * Other tags of the records stay as they are.
 */
export function changeTags(device: Device, table: OwnedTable, ids: readonly string[], edit: SetEdit): Promise<Outcome> {
  const rows = openBrand(device).get()?.tables[table]
  const changed = ids.filter((id) => {
    const tagIds = new Set(idsIn(rows?.get(id)?.tag_ids))
    return edit.add.some((tag) => !tagIds.has(tag)) || edit.remove.some((tag) => tagIds.has(tag))
  })
  const { one, many } = rowWordsOf(table)
  return combinedOutcome(
    chunksOf(changed).map((rowIds) =>
      updateAll(device, {
        table,
        rowIds,
        title: `Tags of ${countOf(rowIds.length, one, many)}`,
        icon: 'tag',
        values: { tag_ids: edit },
      }),
    ),
  )
}
