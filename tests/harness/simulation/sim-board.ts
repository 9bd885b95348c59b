import { isDeepStrictEqual } from 'node:util'
import type { Device } from '#web/data/browser/device.ts'
import { firstLookOf, storeFirstLook } from '#web/data/store-first-look.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { FirstLook } from '#web/data/store/first-look.ts'

/** How many first looks (stored snapshots of the first screen) were compared with the rows, and a sentence for each that differed. */
export const firstLookComparisons = { compared: 0, wrong: new Array<string>() }

/**
 * Makes a device store first looks, as if it showed the board. When the app is opened again, checks that the first look that it shows matches the
 * rows that are read afterwards. `isAlone`: true if no other tab writes rows meanwhile. If false, nothing is checked, because the rows may be newer
 * than the first look.
 */
export function showBoard(device: Device, isAlone: boolean): void {
  // Makes the app store a first look at once. Otherwise the app would wait for half a second of real time, and the life would change rows meanwhile.
  globalThis.requestIdleCallback ??= (run) =>
    Number(setTimeout(() => run({ didTimeout: false, timeRemaining: () => 0 })))
  let lastData: BrandData | null = null
  openBrand(device).subscribe(() => {
    const data = openBrand(device).get()
    if (!data || data === lastData) return
    lastData = data
    storeFirstLook(data)
    if (isAlone) compareLook(data)
  })
}

function compareLook(data: BrandData): void {
  let shownLook: { look: FirstLook; writes: number | null } | null = null
  data.firstLook.subscribe(() => {
    const look = data.firstLook.get()?.look
    if (look) shownLook = { look, writes: data.writes.known.get() }
  })
  data.loaded.subscribe(() => {
    // Compares only if nothing was written since the first look was stored, because it does not contain later writes.
    const expectedLook = shownLook?.writes === data.writes.known.get() ? firstLookOf(data) : null
    if (!shownLook || !expectedLook) return
    firstLookComparisons.compared += 1
    if (!isDeepStrictEqual(toJson(shownLook.look), toJson(expectedLook)))
      firstLookComparisons.wrong.push(
        `the first look is ${JSON.stringify(shownLook.look)} instead of ${JSON.stringify(expectedLook)}`,
      )
  })
}

function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
