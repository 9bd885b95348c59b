import { changeMatching, type MatchingChange } from '#web/data/change-matching.ts'
import { stepsOf } from '#web/data/changes/steps.ts'
import { undoStep } from '#web/data/changes/undo-step.ts'
import { type ImportRow, startContactImport } from '#web/data/import-contacts.ts'
import { undoImport } from '#web/data/imports.ts'
import { recordMatchingChange } from '#web/data/record-matching-change.ts'
import type { SimDevice } from './sim-device.ts'
import type { Marks } from './sim-marks.ts'
import type { SimTable } from './sim-world.ts'

const firstNames = ['Zoe', 'Owen', 'Ines', null]
const companyNames = ['Slate', 'Zoo', 'Marble', null]

/**
 * Returns actions with their weights: change all records that a search finds, on the server, and undo that; import contacts, and undo an import. A
 * fault or a kill may end each of them in the middle.
 */
export function manyActions(
  sim: SimDevice,
  marks: Marks,
  random: () => number,
  table: SimTable,
): [number, () => void][] {
  const { device, data, person } = sim
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const ignoreFailure = (outcome: Promise<unknown>) => void outcome.catch(() => {})
  const tags = [...(data?.tables.tags.values() ?? [])].toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const randomChange = (): MatchingChange => {
    const chance = random()
    const tagId = pick(tags)?.id
    if (chance < 0.1) return { delete: true }
    if (chance < 0.5 && tagId !== undefined)
      return random() < 0.6 ? { add_tags: [tagId], remove_tags: [] } : { add_tags: [], remove_tags: [tagId] }
    return { owner_id: random() < 0.5 ? null : person.id }
  }
  const changeAndPerhapsUndo = async () => {
    if (!data || table === 'tasks') return
    const matching = { table, search: pick(['', '', 'mark', 'z']) ?? '', mine: random() < 0.3 }
    const [change, isUndone] = [randomChange(), random() < 0.4]
    const { signal } = new AbortController()
    const result = await changeMatching(device, matching, change, { signal, onProgress: () => {} })
    recordMatchingChange(device, table, result)
    const step = stepsOf(data).done.at(-1)
    if (isUndone && step && result.ids.length > 0) await undoStep(device, step)?.outcome
  }
  const importContacts = async () => {
    const rows = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, index): ImportRow => {
      const name = pick(['owen', 'zoe', `import${Math.floor(random() * 20)}`])
      const firstName = pick(firstNames) ?? null
      return {
        row: index + 2,
        email: `${name}@acme.test`,
        first_name: firstName,
        last_name: null,
        company: pick(companyNames) ?? null,
      }
    })
    const { signal } = new AbortController()
    const run = startContactImport(device, { fileName: 'contacts.csv', signal, onOutcomes: () => {} })
    marks.imports.push(run.importId)
    await run.push(rows)
    await run.finish()
  }
  const importId = pick(marks.imports)
  return [
    [4, () => ignoreFailure(changeAndPerhapsUndo())],
    [4, () => ignoreFailure(importContacts())],
    [3, () => importId !== undefined && ignoreFailure(undoImport(device, importId))],
  ]
}
