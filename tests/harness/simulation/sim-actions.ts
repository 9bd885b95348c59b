import { addContact } from '#web/data/add-contact.ts'
import { deleteRecords, restoreRecords } from '#web/data/changes/delete-records.ts'
import { discardOperation, resolveConflict, restoreDeleted, retryOperation } from '#web/data/changes/queue-actions.ts'
import { updateRecord, updateRecords } from '#web/data/changes/update-record.ts'
import { addCompany } from '#web/data/add-company.ts'
import { createDeal, moveDeal, quickCreateDeal } from '#web/data/deals.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { queue } from '#web/data/store/queue.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import { createTask, setTaskStatus } from '#web/data/tasks.ts'
import { actOnFields } from './sim-custom.ts'
import type { SimDevice } from './sim-device.ts'
import { markedField, type Marks } from './sim-marks.ts'
import { moveActions } from './sim-moves.ts'
import { actOnNotes } from './sim-notes.ts'
import { notificationActions } from './sim-notifications.ts'
import { type SimTable, simTables } from './sim-world.ts'
import { seriesActions } from './sim-series.ts'
import { tagActions } from './sim-tags.ts'

/** Runs one random action of a person on a device. Does not wait for its outcome. */
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
  const some = idsOf(table).filter(() => random() < 0.5)
  const deal = pick(idsOf('deals'))
  const contact = pick(idsOf('contacts')) ?? null
  const stage = pick(stages)
  const follow = (mark: string | null, outcome: Promise<Outcome>) => {
    if (mark) marks.follow(mark, outcome)
    else outcome.catch(() => {})
  }
  const actions: [number, () => void][] = [
    [
      24,
      () => {
        // Half of the edits are of the record that was edited last, so that people often edit the same field.
        const isAgain = random() < 0.5
        const edited = (isAgain && marks.lastEdited) || (id === undefined ? null : { table, id })
        const row = edited && data.tables[edited.table].get(edited.id)
        if (!row) return
        marks.lastEdited = edited
        const values: Record<string, unknown> = { ...row }
        const mark = marks.next(sim, values[markedField[edited.table]])
        // Often edits another field of the record first. The edit of the text then waits for the answer to that edit, and is rebased on it.
        if (random() < 0.4)
          follow(null, updateRecord(device, edited.table, edited.id, otherField(edited.table, random) as never))
        const more = edited.table === 'deals' && random() < 0.3 ? { amount: Math.floor(random() * 1000) } : {}
        follow(mark, updateRecord(device, edited.table, edited.id, { [markedField[edited.table]]: mark, ...more }))
      },
    ],
    [
      6,
      () => {
        if (some.length < 2) return
        follow(null, updateRecords(device, table, some, { owner_id: random() < 0.5 ? null : sim.person.id } as never))
      },
    ],
    [
      10,
      () => {
        if (deal && stage) follow(null, moveDeal(device, deal, stage.id))
      },
    ],
    [
      5,
      () => {
        const task = pick(idsOf('tasks'))
        if (task) follow(null, setTaskStatus(device, task, random() < 0.5 ? 'done' : 'open'))
      },
    ],
    [
      12,
      () => {
        const mark = marks.next(sim, null)
        if (table === 'deals' && stage)
          follow(mark, createDeal(device, { name: mark, amount: 5, stage_id: stage.id, contact_id: contact }))
        else if (table === 'contacts')
          follow(
            null,
            addContact(device, {
              email: `${pick(['owen', 'zoe', mark])}@acme.test`,
              first_name: 'Zoe',
              last_name: null,
              company: pick(['Slate', 'Zoo', null]) ?? null,
            }),
          )
        else if (table === 'companies')
          follow(mark, addCompany(device, { name: mark, domain: null, phone: null, website: null, notes: mark }))
        else
          follow(
            mark,
            createTask(device, {
              title: mark,
              due_at: null,
              priority: 'normal',
              contact_id: contact,
              deal_id: deal ?? null,
            }),
          )
      },
    ],
    [
      2,
      () => {
        if (stage) follow(null, quickCreateDeal(device, stage))
      },
    ],
    [
      7,
      () => {
        const ids = random() < 0.8 ? [id].filter((one) => one !== undefined) : some
        if (ids.length === 0) return
        marks.deleted.push({ table, ids })
        follow(null, deleteRecords(device, table, ids))
      },
    ],
    [
      6,
      () => {
        const last = pick(marks.deleted)
        if (last) follow(null, restoreRecords(device, last.table, last.ids))
      },
    ],
    [8, () => actOnNotes(sim, marks, random)],
    ...seriesActions(sim, random, pick(idsOf('tasks'))),
    ...notificationActions(sim, random, { world: sim.world, table, id }),
    ...tagActions(sim, random, { table, id, some }),
    ...moveActions(sim, marks, random),
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

/** Returns a random value of a field that has no marks. */
function otherField(table: SimTable, random: () => number): Record<string, unknown> {
  if (table === 'deals') return { amount: Math.floor(random() * 1000) }
  if (table === 'tasks') return { priority: random() < 0.5 ? 'high' : 'low' }
  return table === 'contacts' ? { phone: String(Math.floor(random() * 1000)) } : { website: String(random()) }
}

/** Resolves one operation that needs attention, as the person would. Returns false if there is none. */
export function resolveOperation(sim: SimDevice, marks: Marks, random: () => number): boolean {
  const { device } = sim
  const operation = queue(device)
    .get()
    .operations.find(({ state }) => state !== 'waiting')
  if (!operation) return false
  const chance = random()
  const quiet = (answer: Promise<void>) => void answer.catch(() => {})
  if (operation.state === 'conflict') {
    if (chance < 0.5) {
      marks.choose(sim, operation)
      quiet(resolveConflict(device, operation.id, 'mine'))
    } else {
      marks.giveUp(sim, operation)
      quiet(resolveConflict(device, operation.id, 'theirs'))
    }
  } else if (operation.state === 'deleted' && chance < 0.4) quiet(restoreDeleted(device, operation.id))
  else if (operation.state === 'failed' && chance < 0.2) quiet(retryOperation(device, operation.id))
  else {
    marks.giveUp(sim, operation)
    quiet(discardOperation(device, operation.id))
  }
  return true
}
