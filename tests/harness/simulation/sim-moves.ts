import { deleteStage, restoreStages } from '#web/data/change-stages.ts'
import { byPosition } from '#web/data/pipelines.ts'
import { mergeTags, unmergeTag } from '#web/data/tag-counts.ts'
import type { SimDevice } from './sim-device.ts'
import type { Marks } from './sim-marks.ts'

/** Returns actions with their weights: delete a stage and move its deals to another one, merge a tag into another, undo one of these. */
export function moveActions({ device, data }: SimDevice, marks: Marks, random: () => number): [number, () => void][] {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const ignoreFailure = (outcome: Promise<unknown>) => void outcome.catch(() => {})
  const stages = [...(data?.tables.deal_stages.values() ?? [])].toSorted(byPosition)
  const [stage, toStage] = [pick(stages), pick(stages)]
  /** Tags in the same order in each run: by name, because ids are random. */
  const tags = [...(data?.tables.tags.values() ?? [])].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const [tag, intoTag] = [pick(tags), pick(tags)]
  const [movedStageId, mergedTagId] = [pick(marks.moved.deal_stages), pick(marks.moved.tags)]
  return [
    [
      2,
      () => {
        if (!stage || !toStage || stage === toStage || stages.length < 4) return
        marks.moved.deal_stages.push(stage.id)
        ignoreFailure(deleteStage(device, stage.id, toStage.id))
      },
    ],
    [3, () => movedStageId !== undefined && ignoreFailure(restoreStages(device, [movedStageId]))],
    [
      2,
      () => {
        if (!tag || !intoTag || tag === intoTag) return
        marks.moved.tags.push(tag.id)
        ignoreFailure(mergeTags(device, tag.id, intoTag.id, () => {}))
      },
    ],
    [3, () => mergedTagId !== undefined && ignoreFailure(unmergeTag(device, mergedTagId))],
  ]
}
