import { addTag, changeTags, setTags } from '#web/data/change-tags.ts'
import { deleteRecords, restoreRecords } from '#web/data/changes/delete-records.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import type { SimDevice } from './sim-device.ts'

const names = ['VIP', 'vip', 'Press', 'Later', 'Partner']

/** Returns actions with their weights: tag one record or several, create a tag, delete a tag and restore it. */
export function tagActions(
  { device, data }: SimDevice,
  random: () => number,
  { table, id, some }: { table: OwnedTable | 'tasks'; id: string | undefined; some: readonly string[] },
): [number, () => void][] {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const quiet = (outcome: Promise<unknown>) => void outcome.catch(() => {})
  /** Tags in the same order in each run: by name, because ids are random. */
  const tags = [...(data?.tables.tags.values() ?? [])].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const tag = pick(tags)?.id
  const edit = tag !== undefined && (random() < 0.6 ? { add: [tag], remove: [] } : { add: [], remove: [tag] })
  return [
    [8, () => table !== 'tasks' && id !== undefined && edit && quiet(setTags(device, table, id, edit))],
    [5, () => table !== 'tasks' && some.length > 0 && edit && quiet(changeTags(device, table, some, edit))],
    // The server refuses a new tag to a person with the role member. The operation then needs attention.
    [4, () => quiet(addTag(device, pick(names) ?? 'VIP').outcome)],
    [
      1,
      () =>
        tag !== undefined &&
        quiet(deleteRecords(device, 'tags', [tag]).then(() => restoreRecords(device, 'tags', [tag]))),
    ],
  ]
}
