import { addTag, changeTags, setTags } from '#web/data/change-tags.ts'
import { deleteRecords, restoreRecords } from '#web/data/changes/delete-records.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import type { SimDevice } from './sim-device.ts'

const tagNames = ['VIP', 'vip', 'Press', 'Later', 'Partner']

/** Returns actions with their weights: add a tag to one record or several, or remove it; create a tag; delete a tag and restore it. */
export function tagActions(
  { device, data }: SimDevice,
  random: () => number,
  { table, id, some: someIds }: { table: OwnedTable | 'tasks'; id: string | undefined; some: readonly string[] },
): [number, () => void][] {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const ignoreFailure = (outcome: Promise<unknown>) => void outcome.catch(() => {})
  /** Tags in the same order in each run: by name, because ids are random. */
  const tags = [...(data?.tables.tags.values() ?? [])].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const tagId = pick(tags)?.id
  const tagChange =
    tagId !== undefined && (random() < 0.6 ? { add: [tagId], remove: [] } : { add: [], remove: [tagId] })
  return [
    [
      8,
      () => table !== 'tasks' && id !== undefined && tagChange && ignoreFailure(setTags(device, table, id, tagChange)),
    ],
    [
      5,
      () =>
        table !== 'tasks' &&
        someIds.length > 0 &&
        tagChange &&
        ignoreFailure(changeTags(device, table, someIds, tagChange)),
    ],
    // The server refuses a new tag to a person with the role member. The operation then needs attention.
    [4, () => ignoreFailure(addTag(device, pick(tagNames) ?? 'VIP').outcome)],
    [
      1,
      () =>
        tagId !== undefined &&
        ignoreFailure(deleteRecords(device, 'tags', [tagId]).then(() => restoreRecords(device, 'tags', [tagId]))),
    ],
  ]
}
