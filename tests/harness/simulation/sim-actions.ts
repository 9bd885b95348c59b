import { addContact } from '#web/data/add-contact.ts'
import { deleteRecords, restoreRecords } from '#web/data/changes/delete-records.ts'
import { discardOperation, restoreDeleted, retryOperation } from '#web/data/changes/queue-actions.ts'
import { resolveConflict } from '#web/data/changes/resolve-conflict.ts'
import { updateRecord, updateRecords } from '#web/data/changes/update-record.ts'
import { addCompany } from '#web/data/add-company.ts'
import { createDeal, moveDeal, quickCreateDeal } from '#web/data/deals.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { queue } from '#web/data/store/queue.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import { createTask, setTaskStatus } from '#web/data/tasks.ts'
import { actOnFields } from './sim-custom.ts'
import type { SimDevice } from './sim-device.ts'
import { linkActions } from './sim-links.ts'
import { manyActions } from './sim-many.ts'
import { markedField, type Marks } from './sim-marks.ts'
import { moveActions } from './sim-moves.ts'
import { actOnNotes } from './sim-notes.ts'
import { notificationActions } from './sim-notifications.ts'
import { type SimTable, simTables } from './sim-world.ts'
import { seriesActions } from './sim-series.ts'
import { tagActions } from './sim-tags.ts'

/** Runs one random action of a person on a device, if there is a record for it. Does not wait for its outcome. */
export function runRandomAction(sim: SimDevice, marks: Marks, random: () => number): void {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  const { device, data } = sim
  if (!data?.loaded.get()) return
  /** Returns the ids of a table's rows, sorted by a text of the row: ids are random, and would have another order in each run. */
  const idsOf = (ofTable: SimTable) =>
    [...data.tables[ofTable].values()]
      .map((row) => ({ id: row.id, text: 'name' in row ? row.name : 'email' in row ? row.email : row.title }))
      .toSorted((one, other) => ((one.text ?? '') < (other.text ?? '') ? -1 : 1))
      .map(({ id }) => id)
  const stages = [...data.tables.deal_stages.values()].toSorted((a, b) => a.position - b.position)
  const table = pick(simTables) ?? 'deals'
  const id = pick(idsOf(table))
  const someIds = idsOf(table).filter(() => random() < 0.5)
  const dealId = pick(idsOf('deals'))
  const contactId = pick(idsOf('contacts')) ?? null
  const stage = pick(stages)
  const followMark = (mark: string | null, outcome: Promise<Outcome>) => {
    if (mark) marks.follow(mark, outcome)
    else outcome.catch(() => {})
  }
  const actions: [number, () => void][] = [
    [
      24,
      () => {
        // Half of the edits are of the record that was edited last, so that people often edit the same field.
        const mustRepeat = random() < 0.5
        const editedRecord = (mustRepeat && marks.lastEdited) || (id === undefined ? null : { table, id })
        const row = editedRecord && data.tables[editedRecord.table].get(editedRecord.id)
        if (!row) return
        marks.lastEdited = editedRecord
        const values: Record<string, unknown> = { ...row }
        const mark = marks.next(sim, values[markedField[editedRecord.table]])
        // Often edits another field of the record first. The edit of the text then waits for the answer to that edit, and is rebased on it.
        if (random() < 0.4)
          followMark(
            null,
            updateRecord(device, editedRecord.table, editedRecord.id, otherField(editedRecord.table, random) as never),
          )
        const otherValues =
          editedRecord.table === 'deals' && random() < 0.3 ? { amount: Math.floor(random() * 1000) } : {}
        followMark(
          mark,
          updateRecord(device, editedRecord.table, editedRecord.id, {
            [markedField[editedRecord.table]]: mark,
            ...otherValues,
          }),
        )
      },
    ],
    [
      6,
      () => {
        if (someIds.length < 2) return
        followMark(
          null,
          updateRecords(device, table, someIds, { owner_id: random() < 0.5 ? null : sim.person.id } as never),
        )
      },
    ],
    [
      10,
      () => {
        if (dealId && stage) followMark(null, moveDeal(device, dealId, stage.id))
      },
    ],
    [
      5,
      () => {
        const taskId = pick(idsOf('tasks'))
        if (taskId) followMark(null, setTaskStatus(device, taskId, random() < 0.5 ? 'done' : 'open'))
      },
    ],
    [
      12,
      () => {
        const mark = marks.next(sim, null)
        if (table === 'deals' && stage)
          followMark(mark, createDeal(device, { name: mark, amount: 5, stage_id: stage.id, contact_id: contactId }))
        else if (table === 'contacts')
          followMark(
            null,
            addContact(device, {
              email: `${pick(['owen', 'zoe', mark])}@acme.test`,
              first_name: 'Zoe',
              last_name: null,
              company: pick(['Slate', 'Zoo', null]) ?? null,
            }),
          )
        else if (table === 'companies')
          followMark(mark, addCompany(device, { name: mark, domain: null, phone: null, website: null, notes: mark }))
        else
          followMark(
            mark,
            createTask(device, {
              title: mark,
              due_at: null,
              priority: 'normal',
              contact_id: contactId,
              deal_id: dealId ?? null,
            }),
          )
      },
    ],
    [
      2,
      () => {
        if (stage) followMark(null, quickCreateDeal(device, stage))
      },
    ],
    [
      7,
      () => {
        const ids = random() < 0.8 ? [id].filter((one) => one !== undefined) : someIds
        if (ids.length === 0) return
        marks.deleted.push({ table, ids })
        followMark(null, deleteRecords(device, table, ids))
      },
    ],
    [
      6,
      () => {
        const deletion = pick(marks.deleted)
        if (deletion) followMark(null, restoreRecords(device, deletion.table, deletion.ids))
      },
    ],
    [8, () => actOnNotes(sim, marks, random)],
    ...seriesActions(sim, random, pick(idsOf('tasks'))),
    ...notificationActions(sim, random, { world: sim.world, table, id }),
    ...tagActions(sim, random, { table, id, some: someIds }),
    ...moveActions(sim, marks, random),
    ...linkActions(sim, random, { dealId, contactId, stageId: stage?.id }),
    ...manyActions(sim, marks, random, table),
    [8, () => void actOnFields(sim, random)?.catch(() => {})],
    [5, () => resolveOperation(sim, marks, random)],
    [5, () => void requestPull(device).catch(() => {})],
  ]
  let remainingWeight = random() * actions.reduce((sum, [weight]) => sum + weight, 0)
  for (const [weight, run] of actions) {
    remainingWeight -= weight
    if (remainingWeight < 0) return run()
  }
}

/** Returns a field that has no marks, with a random value. */
function otherField(table: SimTable, random: () => number): Record<string, unknown> {
  if (table === 'deals') return { amount: Math.floor(random() * 1000) }
  if (table === 'tasks') return { priority: random() < 0.5 ? 'high' : 'low' }
  return table === 'contacts' ? { phone: String(Math.floor(random() * 1000)) } : { website: String(random()) }
}

/** Resolves one operation that needs attention: picks one of the person's choices at random. Returns false if there is none. */
export function resolveOperation(sim: SimDevice, marks: Marks, random: () => number): boolean {
  const { device } = sim
  const operation = queue(device)
    .get()
    .operations.find(({ state }) => state !== 'waiting')
  if (!operation) return false
  const chance = random()
  const ignoreFailure = (answer: Promise<void>) => void answer.catch(() => {})
  if (operation.state === 'conflict') {
    if (chance < 0.5) {
      marks.choose(sim, operation)
      ignoreFailure(resolveConflict(device, operation.id, 'mine'))
    } else {
      marks.giveUp(sim, operation)
      ignoreFailure(resolveConflict(device, operation.id, 'theirs'))
    }
  } else if (operation.state === 'deleted' && chance < 0.4) ignoreFailure(restoreDeleted(device, operation.id))
  else if (operation.state === 'failed' && chance < 0.2) ignoreFailure(retryOperation(device, operation.id))
  else {
    marks.giveUp(sim, operation)
    ignoreFailure(discardOperation(device, operation.id))
  }
  return true
}
