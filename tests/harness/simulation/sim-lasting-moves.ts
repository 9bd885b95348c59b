import { moveDeal } from '#web/data/deals.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import type { SimDevice } from './sim-device.ts'

const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 1))

/** Number of moves that are watched at the end of a life with windowed tables. */
const moveCount = 2

/**
 * Moves deals on a device while nobody else changes anything, and watches the board after each turn of the event loop. Responses and pulls arrive
 * late and in any order. A move must be shown at once and stay: returns a sentence for each move after which the board changed more than once.
 */
export async function movesThatDidNotStay(sim: SimDevice, random: () => number): Promise<string[]> {
  const errors: string[] = []
  sim.network = 'late'
  for (let move = 0; move < moveCount; move++) {
    const boards = [sim.screens.board()]
    const recordBoard = () => {
      const board = sim.screens.board()
      if (board !== boards.at(-1)) boards.push(board)
    }
    const { data } = sim
    const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
    const deal = pick([...(data?.tables.deals.values() ?? [])].toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    const stage = pick([...(data?.tables.deal_stages.values() ?? [])].filter(({ id }) => id !== deal?.stage_id))
    if (!deal || !stage) continue
    void moveDeal(sim.device, deal.id, stage.id).catch(() => {})
    recordBoard()
    if (random() < 0.5) void requestPull(sim.device)
    for (let turn = 0; turn < 60; turn++) {
      if (turn % 3 === 0) sim.clock.advance(400)
      if (turn === 20) void requestPull(sim.device)
      sim.screens.look()
      await nextTurn()
      recordBoard()
      // After every 1.2 s of the device's clock, waits for the server. Otherwise, on a busy machine, responses would arrive later by this clock.
      if (turn % 9 !== 8) continue
      while (sim.underway > 0) {
        await nextTurn()
        recordBoard()
      }
    }
    if (boards.length > 2)
      errors.push(`${sim.person.email}: the board changed more than once after a move: ${boards.join('\n')}`)
  }
  sim.network = 'steady'
  return errors
}
