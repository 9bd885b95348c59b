import { isDeepStrictEqual } from 'node:util'
import { sessionState } from '#web/data/session/session.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { sendWaiting } from '#web/data/changes/sender.ts'
import { reachable } from '#web/data/server/network.ts'
import { type TableName, tableNames } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import { queue } from '#web/data/store/queue.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'
import { seededRandom } from '../seeded-random.ts'
import { runRandomAction, resolveOperation } from './sim-actions.ts'
import { wrongNotes } from './sim-notes.ts'
import { wrongNotifications } from './sim-notifications.ts'
import type { SimBrowser } from './sim-browser.ts'
import { type BrandInDatabase, readBrand } from './sim-database.ts'
import { SimDevice } from './sim-device.ts'
import { firstLookComparisons } from './sim-board.ts'
import { Marks } from './sim-marks.ts'
import { SimMembership } from './sim-membership.ts'
import { movesThatDidNotStay } from './sim-lasting-moves.ts'
import { beginEpoch, beginTransaction, changesOf, newBrand, simTables, type SimWorld } from './sim-world.ts'

/** Share of events that make all devices fetch everything again, as after a backup was restored. */
const epochRate = 0.02
/** Share of events that remove Bo from the brand or add Bo again, in every fifth life. */
const membershipRate = 0.1

/**
 * Simulates one life of two people with a device each: `steps` random events (edits, network failures, kills, full disks, jumps of the clock), then
 * a time without faults. The same seed gives the same events. `isWindowed`: the devices store only parts of the tables. Returns a sentence for each
 * error that is found at the end:
 * - a device whose rows differ from the server's, or a wrong screen, first look or notification,
 * - an acknowledged edit that is lost, or an edit that arrived twice,
 * - a colleague's edit that was overwritten by a person who had not seen it,
 * - a row that went back to an earlier version, or vanished, before the end.
 */
export async function simulateLife(
  world: SimWorld,
  seed: number,
  steps: number,
  isWindowed = false,
): Promise<string[]> {
  const random = seededRandom(seed)
  const brandId = await newBrand(world)
  const ana = new SimDevice(world.ana, world, `${seed} ana`)
  const devices = [ana, new SimDevice(world.bo, world, `${seed} bo`)]
  // In every other life Ana has a second tab.
  if (seed % 2 === 0) devices.push(new SimDevice(world.ana, world, `${seed} ana, second tab`, ana.browser))
  const marks = new Marks()
  const membership = new SimMembership(world, brandId, devices)
  // In every third life another session has a transaction open all the time, as during a long import.
  const endTransaction = seed % 3 === 0 ? await beginTransaction(world) : async () => {}
  try {
    for (const sim of devices) await sim.begin(brandId)
    await untilOpen(devices, membership)
    for (let step = 0; step < steps; step++) {
      const sim = devices[Math.floor(random() * devices.length)]
      if (!sim) break
      if (random() < epochRate) await beginEpoch(world)
      else if (seed % 5 === 4 && random() < membershipRate) await membership.change()
      else runRandomEvent(sim, tabsOf(devices, sim.browser), marks, random)
      for (const browser of browsersOf(devices)) {
        const passedMs = random() < 0.7 ? random() * 400 : random() * 20_000
        for (const { clock } of tabsOf(devices, browser)) clock.advance(passedMs)
      }
      await untilQuiet(devices)
      for (const anyDevice of devices) {
        if (anyDevice.isKilled) anyDevice.reopen()
        anyDevice.screens.look()
      }
      await membership.reopenBrand()
    }
    const errors = await settleAndFindErrors(world, brandId, devices, {
      marks,
      membership,
      random,
      rounds: isWindowed ? 4 : 2,
    })
    if (devices.some((sim) => simTables.some((table) => !hasAllRows(sim, table)))) world.windowedLives += 1
    if (isWindowed) for (const sim of devices.slice(0, 1)) errors.push(...(await movesThatDidNotStay(sim, random)))
    return errors
  } finally {
    for (const sim of devices) sim.close()
    await endTransaction()
  }
}

const browsersOf = (devices: readonly SimDevice[]) => [...new Set(devices.map(({ browser }) => browser))]
const tabsOf = (devices: readonly SimDevice[], browser: SimBrowser) => devices.filter((sim) => sim.browser === browser)

/** Runs one random event: usually a user action, sometimes a fault (network, disk, clock, kill). `tabs`: all tabs of the same browser. */
function runRandomEvent(sim: SimDevice, tabs: readonly SimDevice[], marks: Marks, random: () => number): void {
  const chance = random()
  if (chance < 0.06) sim.network = 'away'
  else if (chance < 0.16) {
    sim.network = random() < 0.5 ? 'steady' : 'unsteady'
    reachable(sim.device).set(true)
  } else if (chance < 0.19) sim.killAfter({ requests: Math.floor(random() * 4) })
  else if (chance < 0.22) sim.killAfter({ writes: Math.floor(random() * 6) })
  else if (chance < 0.24) for (const tab of tabs) tab.fillDisk(true)
  else if (chance < 0.28) for (const tab of tabs) tab.fillDisk(false)
  else if (chance < 0.31) {
    const jumpMs = (random() - 0.5) * 2 * 86_400_000
    for (const { clock } of tabs) clock.jump(jumpMs)
  } else runRandomAction(sim, marks, random)
}

/** Ends all faults of networks and disks, waits until everything is sent, fetched and resolved, and compares all states. Returns the errors. */
async function settleAndFindErrors(
  world: SimWorld,
  brandId: string,
  devices: readonly SimDevice[],
  {
    marks,
    membership,
    random,
    rounds,
  }: { marks: Marks; membership: SimMembership; random: () => number; rounds: number },
): Promise<string[]> {
  for (const sim of devices) {
    sim.killAfter({})
    sim.network = 'steady'
    sim.fillDisk(false)
    reachable(sim.device).set(true)
  }
  await membership.restore()
  // A page that was killed in the last step opens again now.
  await untilOpen(devices, membership)
  let settledRounds = 0
  const writeRequests = () => devices.reduce((sum, sim) => sum + sim.writeRequests, 0)
  for (let round = 0; round < 400; round++) {
    const writesBefore = writeRequests()
    for (const sim of devices) {
      sim.clock.advance(31_000)
      void sendWaiting(sim.device)
      void requestPull(sim.device)
    }
    await untilQuiet(devices)
    for (const { screens } of devices) screens.look()
    await untilQuiet(devices)
    await membership.reopenBrand()
    const firstTabs = browsersOf(devices).flatMap((browser) => tabsOf(devices, browser).slice(0, 1))
    const resolved = firstTabs.filter((sim) => resolveOperation(sim, marks, random))
    const isSent = devices.every(
      ({ device }) => queue(device).get().isReady && queue(device).get().operations.length === 0,
    )
    // An edit of the last step may still wait for its turn in the event loop, and be sent in a round that began with empty queues.
    const isSettled = isSent && resolved.length === 0 && writeRequests() === writesBefore
    settledRounds = isSettled ? settledRounds + 1 : 0
    // Ends only after `rounds` settled rounds: the other devices must pull the last change, and their screens must request what it affects.
    if (settledRounds === rounds) {
      membership.forgiveLostEdits(marks)
      const [changes, brand] = await Promise.all([changesOf(world, brandId), readBrand(world, brandId)])
      return [
        ...(await differences(world, brandId, brand, devices)),
        ...marks.errors(changes),
        ...devices.flatMap(({ watch }) => watch.errors(changes)),
        ...devices.flatMap(({ screens }) => screens.errors(brand)),
        ...firstLookComparisons.wrong.splice(0),
      ]
    }
  }
  const remaining = devices.map(({ device }) =>
    queue(device)
      .get()
      .operations.map(({ title, state, reason }) => `${title}: ${state} ${reason ?? ''}`),
  )
  return [`the queues do not become empty: ${JSON.stringify(remaining)}`]
}

/**
 * Compares a new device, which fetches everything, with the server. Then compares each device with the new one, and each device's notes and
 * notifications with the server.
 */
async function differences(
  world: SimWorld,
  brandId: string,
  brand: BrandInDatabase,
  devices: readonly SimDevice[],
): Promise<string[]> {
  const errors: string[] = []
  const newDevice = new SimDevice(world.ana, world, '')
  newDevice.network = 'steady'
  try {
    await newDevice.begin(brandId)
    await untilOpen([newDevice], null)
    await untilQuiet([newDevice])
    for (const table of simTables.filter((name) => hasAllRows(newDevice, name)))
      compare(
        `a new device, ${table}`,
        new Map(brand.rows[table].map(({ id, version }) => [id, { version }])),
        versionsOf(newDevice.data, table),
        errors,
      )
    for (const sim of devices)
      for (const table of tableNames.filter((name) => hasAllRows(newDevice, name) && hasAllRows(sim, name)))
        compare(`${sim.person.email}, ${table}`, rowsOf(newDevice.data, table), rowsOf(sim.data, table), errors)
    for (const sim of devices) errors.push(...wrongNotes(brand, sim))
    for (const sim of devices) errors.push(...(await wrongNotifications(world, brandId, sim)))
  } finally {
    newDevice.close()
  }
  return errors
}

/** True if the device has all rows of the table. Never true for notes. */
function hasAllRows({ data }: SimDevice, table: TableName): boolean {
  return data !== null && isComplete(data.state.get(), table)
}

function compare(
  where: string,
  wanted: ReadonlyMap<string, Record<string, unknown>>,
  seen: ReadonlyMap<string, Record<string, unknown>>,
  errors: string[],
): void {
  for (const [id, row] of wanted) {
    const seenRow = seen.get(id)
    const fields = seenRow
      ? Object.keys({ ...row, ...seenRow }).filter((field) => !isDeepStrictEqual(row[field], seenRow[field]))
      : []
    if (!seenRow) errors.push(`${where}, ${id}: is missing`)
    for (const field of fields)
      errors.push(
        `${where}, ${id}: ${field} is ${JSON.stringify(seenRow?.[field])} instead of ${JSON.stringify(row[field])}`,
      )
  }
  for (const id of seen.keys()) if (!wanted.has(id)) errors.push(`${where}, ${id}: is not on the server`)
}

function versionsOf(data: BrandData | null, table: (typeof simTables)[number]): Map<string, Record<string, unknown>> {
  return new Map([...(data?.tables[table].values() ?? [])].map(({ id, version }) => [id, { version }]))
}

/** A column that is derived from another one. A response to a write contains it, `pull` leaves it out. */
const derivedColumns = { email_norm: null }

function rowsOf(data: BrandData | null, table: (typeof tableNames)[number]): Map<string, Record<string, unknown>> {
  return new Map([...(data?.tables[table].values() ?? [])].map((row) => [row.id, { ...row, ...derivedColumns }]))
}

async function untilOpen(devices: readonly SimDevice[], membership: SimMembership | null): Promise<void> {
  for (let turn = 0; turn < 2000; turn++) {
    if (devices.every(({ data }) => data?.firstPullEnded.get() && data.state.get().cursor)) return
    for (const sim of devices) {
      sim.clock.advance(500)
      if (sim.data?.loaded.get()) void requestPull(sim.device)
    }
    await untilQuiet(devices)
    await membership?.reopenBrand()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error(
    `a device does not open its brand: ${JSON.stringify(devices.map((d) => [d.requests, d.underway, d.network, !!d.data, d.data?.loaded.get(), d.data?.firstPullEnded.get(), d.data?.state.get(), sessionState(d.device).get(), activeBrandState(d.device).get()]))}`,
  )
}

/** Waits until, for 12 turns of the event loop in a row, no request was underway and none began. */
async function untilQuiet(devices: readonly SimDevice[]): Promise<void> {
  let quietTurns = 0
  let requestsBefore = -1
  while (quietTurns < 12) {
    const isWaiting = devices.some(({ underway }) => underway > 0)
    // While the server works, leaves the processor to it.
    await new Promise((resolve) => (isWaiting ? setTimeout(resolve, 1) : setImmediate(resolve)))
    const requests = devices.reduce((sum, sim) => sum + sim.requests, 0)
    quietTurns = requests === requestsBefore && !isWaiting ? quietTurns + 1 : 0
    requestsBefore = requests
  }
}
