import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { goOnline, goOffline, stageOf, untilSent } from '../harness/acme.ts'
import { query } from '../harness/query.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import {
  untilAllShow,
  makeRecord,
  type Noun,
  openTwoPeople,
  queueOf,
  type Row,
  seenByAna,
  type TwoPeople,
  untilQueued,
} from '../harness/two-people.ts'

let server: TestServer
let people: TwoPeople

beforeAll(async () => {
  server = await startTestServer()
  people = await openTwoPeople(server)
})
afterAll(async () => {
  people.bo.browser.close()
  people.ana.browser.close()
  await server.stop()
})
beforeEach(() => {
  people.notices.length = 0
})
afterEach(() => expect(people.ana.tab.queue(people.ana.tab.device).get().operations).toEqual([]))

/** The order of the changes: Ana, who is offline, makes her change before Bo ('offline first') or after Bo ('offline last'). Bo is online. */
const orders = ['offline first', 'offline last'] as const
type Order = (typeof orders)[number]

/** Ana goes offline, both make their changes in the given order, then Ana comes online and sends her change. */
async function bothAct(order: Order, ana: () => Promise<unknown>, bo: () => Promise<unknown>): Promise<void> {
  goOffline(people.ana)
  const acts = [
    async () => expect(await ana()).toMatchObject({ status: 'queued' }),
    async () => expectSaved(await bo()),
  ]
  if (order === 'offline last') acts.reverse()
  for (const act of acts) await act()
  await goOnline(people.ana)
}

function expectSaved(outcome: unknown): void {
  expect(outcome).toMatchObject({ status: 'saved' })
}

const editBy = (noun: Noun, id: string, values: Row) => ({
  ana: () => people.ana.tab.updateRecord(people.ana.tab.device, noun, id, values),
  bo: () => people.bo.tab.updateRecord(people.bo.tab.device, noun, id, values),
})

/** For each noun: a field that both people edit, with the value that each types, and another field with a value. */
const fields: Record<Noun, { field: string; mine: unknown; theirs: unknown; other: Row }> = {
  deals: { field: 'amount', mine: 62_700, theirs: 58_900, other: { expected_close_date: '2026-12-24' } },
  contacts: { field: 'phone', mine: '+44 1 111', theirs: '+44 2 222', other: { title: 'Head of roofs' } },
  companies: {
    field: 'website',
    mine: 'https://a.test',
    theirs: 'https://b.test',
    other: { notes: 'Closed on Fridays' },
  },
  tasks: { field: 'title', mine: 'Call Owen', theirs: 'Write to Owen', other: { priority: 'high' } },
}
const nouns = Object.keys(fields) as Noun[]
const ownerColumnOf = (noun: Noun) => (noun === 'tasks' ? 'assignee_id' : 'owner_id')

describe.each(orders)('%s', (order) => {
  describe.each(nouns)('%s', (noun) => {
    const { field, mine, theirs, other } = fields[noun]
    // An amount and its currency are in conflict together.
    const fieldsInConflict = noun === 'deals' ? [field, 'amount_currency'] : [field]

    test.each(['mine', 'theirs'] as const)(
      'if Bo edits the same field, Ana has to choose between both values, and the chosen one is saved: %s',
      async (keep) => {
        const id = await makeRecord(people, noun)
        await bothAct(order, editBy(noun, id, { [field]: mine }).ana, editBy(noun, id, { [field]: theirs }).bo)
        const { id: operationId, conflicts } = await untilQueued(people, id, 'conflict')
        expect(conflicts.map((conflict) => conflict.field)).toEqual(fieldsInConflict)
        expect(conflicts[0]).toMatchObject({ field, mine, theirs })
        await untilAllShow(people, noun, id, { [field]: theirs })
        await people.ana.tab.resolveConflict(people.ana.tab.device, operationId, keep)
        await untilSent(people.ana.tab)
        await untilAllShow(people, noun, id, { [field]: keep === 'mine' ? mine : theirs })
      },
    )

    test('both changes stand if two people edit different fields', async () => {
      const id = await makeRecord(people, noun)
      await bothAct(order, editBy(noun, id, { [field]: mine }).ana, editBy(noun, id, other).bo)
      await untilAllShow(people, noun, id, { [field]: mine, ...other })
    })

    test('if two edits have one field in common, the other field is saved together with the value that Ana chooses', async () => {
      const id = await makeRecord(people, noun)
      const both = { [field]: mine, ...other }
      await bothAct(order, editBy(noun, id, both).ana, editBy(noun, id, { [field]: theirs }).bo)
      const { id: operationId, conflicts } = await untilQueued(people, id, 'conflict')
      expect(conflicts.map((conflict) => conflict.field)).toEqual(fieldsInConflict)
      await people.ana.tab.resolveConflict(people.ana.tab.device, operationId, 'theirs')
      await untilSent(people.ana.tab)
      await untilAllShow(people, noun, id, { [field]: theirs, ...other })
    })

    test('if two people change the owner, Ana has to choose, and the choices are names instead of ids', async () => {
      const id = await makeRecord(people, noun)
      const owner = ownerColumnOf(noun)
      await bothAct(order, editBy(noun, id, { [owner]: null }).ana, editBy(noun, id, { [owner]: people.boId }).bo)
      const operation = await untilQueued(people, id, 'conflict')
      const [conflict] = operation.conflicts
      expect(conflict && people.ana.tab.readableConflict(people.ana.tab.device, operation, conflict)).toMatchObject({
        mine: null,
        theirs: 'Bo',
      })
      await people.ana.tab.resolveConflict(people.ana.tab.device, operation.id, 'mine')
      await untilSent(people.ana.tab)
      await untilAllShow(people, noun, id, { [owner]: null })
    })

    test.each(['restore', 'discard'] as const)(
      'if Bo deletes a record that Ana edits, it is deleted, and her edit waits for her decision: %s',
      async (decision) => {
        const id = await makeRecord(people, noun)
        await bothAct(order, editBy(noun, id, { [field]: mine }).ana, () =>
          people.bo.tab.deleteRecords(people.bo.tab.device, noun, [id]),
        )
        const { id: operationId } = await untilQueued(people, id, 'deleted')
        await untilAllShow(people, noun, id, null)
        if (decision === 'discard') await people.ana.tab.discardOperation(people.ana.tab.device, operationId)
        else await people.ana.tab.restoreDeleted(people.ana.tab.device, operationId)
        await untilSent(people.ana.tab)
        await untilAllShow(people, noun, id, decision === 'discard' ? null : { [field]: mine })
      },
    )

    test('if Ana deletes a record that Bo edits, it is deleted, and a notice names the lost edit; the undo restores the record with the edit', async () => {
      const id = await makeRecord(people, noun)
      const remove = () => people.ana.tab.deleteRecords(people.ana.tab.device, noun, [id])
      await bothAct(order, remove, editBy(noun, id, { [field]: theirs }).bo)
      await untilAllShow(people, noun, id, null)
      expect(people.notices).toEqual([expect.stringMatching(/^Bo changed .+ before you deleted it$/)])
      expectSaved(await people.ana.tab.restoreRecords(people.ana.tab.device, noun, [id]))
      await untilAllShow(people, noun, id, { [field]: theirs })
    })
  })

  test('the later of two moves of one deal stands; if it is not Ana’s, a notice tells her', async () => {
    const id = await makeRecord(people, 'deals')
    const [won, lost] = [stageOf(people.ana.tab, 'Won').id, stageOf(people.ana.tab, 'Lost').id]
    const moves = {
      ana: () => people.ana.tab.moveDeal(people.ana.tab.device, id, won),
      bo: () => people.bo.tab.moveDeal(people.bo.tab.device, id, lost),
    }
    await bothAct(order, moves.ana, moves.bo)
    await untilAllShow(people, 'deals', id, { stage_id: order === 'offline last' ? won : lost })
    expect(people.notices).toEqual(order === 'offline last' ? [] : ['Bo moved Roof after you'])
  })

  test('if Ana moves several deals at once and Bo moves one of them, the later move of each deal stands, and a notice says so', async () => {
    const [firstId, secondId] = [await makeRecord(people, 'deals'), await makeRecord(people, 'deals')]
    const [won, lost] = [stageOf(people.ana.tab, 'Won').id, stageOf(people.ana.tab, 'Lost').id]
    const move = () =>
      people.ana.tab.updateRecords(people.ana.tab.device, 'deals', [firstId, secondId], {
        stage_id: won,
      })
    await bothAct(order, move, () => people.bo.tab.moveDeal(people.bo.tab.device, firstId, lost))
    await untilAllShow(people, 'deals', firstId, { stage_id: order === 'offline last' ? won : lost })
    await untilAllShow(people, 'deals', secondId, { stage_id: won })
    expect(people.notices).toEqual(order === 'offline last' ? [] : ['Bo moved Roof after you'])
  })

  test.each(['one deal', 'several deals'])(
    'the later move stands, even if Bo edits another field of the deal after both moves: %s',
    async (moved) => {
      const [firstId, secondId] = [await makeRecord(people, 'deals'), await makeRecord(people, 'deals')]
      const [won, lost] = [stageOf(people.ana.tab, 'Won').id, stageOf(people.ana.tab, 'Lost').id]
      const ids = moved === 'one deal' ? [firstId] : [firstId, secondId]
      const { device } = people.bo.tab
      goOffline(people.ana)
      const moves = [
        async () =>
          expect(
            await people.ana.tab.updateRecords(people.ana.tab.device, 'deals', ids, { stage_id: won }),
          ).toMatchObject({ status: 'queued' }),
        async () => expectSaved(await people.bo.tab.moveDeal(device, firstId, lost)),
      ]
      if (order === 'offline last') moves.reverse()
      for (const move of moves) await move()
      expectSaved(await people.bo.tab.updateRecord(device, 'deals', firstId, { amount: 555 }))
      await goOnline(people.ana)
      await untilAllShow(people, 'deals', firstId, { stage_id: order === 'offline last' ? won : lost, amount: 555 })
      expect(people.notices).toEqual(order === 'offline last' ? [] : ['Bo moved Roof after you'])
    },
  )

  test('several records get an owner although one of them was deleted, and the deleted one waits for a decision', async () => {
    const [firstId, secondId] = [await makeRecord(people, 'companies'), await makeRecord(people, 'companies')]
    const assignBoth = () =>
      people.ana.tab.updateRecords(people.ana.tab.device, 'companies', [firstId, secondId], {
        owner_id: people.boId,
      })
    await bothAct(order, assignBoth, () => people.bo.tab.deleteRecords(people.bo.tab.device, 'companies', [firstId]))
    const operation = await untilQueued(people, firstId, 'deleted')
    expect(people.ana.tab.queueLine(people.ana.tab.device, operation, [operation])).toMatchObject({
      title: 'Owner of 2 companies',
      reason: expect.stringMatching(/^Bo deleted this company at \d\d:\d\d\.$/),
    })
    await untilAllShow(people, 'companies', secondId, { owner_id: people.boId })
    await people.ana.tab.restoreDeleted(people.ana.tab.device, operation.id)
    await untilSent(people.ana.tab)
    await untilAllShow(people, 'companies', firstId, { owner_id: people.boId })
  })

  test('a task that two people tick is done once, and nobody has to decide', async () => {
    const id = await makeRecord(people, 'tasks')
    const tick = () => people.ana.tab.setTaskStatus(people.ana.tab.device, id, 'done')
    await bothAct(order, tick, () => people.bo.tab.setTaskStatus(people.bo.tab.device, id, 'done'))
    await untilAllShow(people, 'tasks', id, { status: 'done', version: 2 })
    expect(people.notices).toEqual([])
  })

  test('both changes stand if one person ticks a task and another edits it', async () => {
    const id = await makeRecord(people, 'tasks')
    const tick = () => people.ana.tab.setTaskStatus(people.ana.tab.device, id, 'done')
    await bothAct(order, tick, editBy('tasks', id, { title: 'Call Owen' }).bo)
    await untilAllShow(people, 'tasks', id, { status: 'done', title: 'Call Owen' })
  })

  test('the delete stands if one person ticks a task and another deletes it, and the tick waits for a decision', async () => {
    const id = await makeRecord(people, 'tasks')
    const tick = () => people.ana.tab.setTaskStatus(people.ana.tab.device, id, 'done')
    await bothAct(order, tick, () => people.bo.tab.deleteRecords(people.bo.tab.device, 'tasks', [id]))
    const { id: operationId } = await untilQueued(people, id, 'deleted')
    expect(seenByAna(people, 'tasks', id)).toBeUndefined()
    await people.ana.tab.restoreDeleted(people.ana.tab.device, operationId)
    await untilSent(people.ana.tab)
    await untilAllShow(people, 'tasks', id, { status: 'done' })
  })

  test('a record that two people delete is deleted, and nothing waits for a decision', async () => {
    const id = await makeRecord(people, 'contacts')
    const remove = () => people.ana.tab.deleteRecords(people.ana.tab.device, 'contacts', [id])
    await bothAct(order, remove, () => people.bo.tab.deleteRecords(people.bo.tab.device, 'contacts', [id]))
    await untilAllShow(people, 'contacts', id, null)
    expect(queueOf(people, id)).toEqual([])
    expect(await query(server, 'select 1 from public.contacts where id = $1', id)).toEqual([])
  })
})
