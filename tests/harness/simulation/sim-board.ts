import { isDeepStrictEqual } from 'node:util'
import type { Device } from '#web/data/browser/device.ts'
import { firstLookOf, storeFirstLook } from '#web/data/keep-first-look.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { FirstLook } from '#web/data/store/first-look.ts'

/** How many first looks (stored snapshots of the first screen) were compared with the rows, and a sentence for each that differed. */
export const firstLookComparisons = { compared: 0, wrong: new Array<string>() }

/**
 * Makes a device store first looks, as if it showed the board. When the app is opened again, checks that the first look that it shows matches the
 * rows that are read afterwards. `isAlone`: no other tab writes rows meanwhile. Otherwise the rows may be newer than the first look.
 */
export function showBoard(device: Device, isAlone: boolean): void {
  // Stores a first look at once. Otherwise it is stored after half a second of real time, when the simulated life has gone on.
  globalThis.requestIdleCallback ??= (run) =>
    Number(setTimeout(() => run({ didTimeout: false, timeRemaining: () => 0 })))
  let seen: BrandData | null = null
  openBrand(device).subscribe(() => {
    const data = openBrand(device).get()
    if (!data || data === seen) return
    seen = data
    storeFirstLook(data)
    if (isAlone) compareLook(data)
  })
}

function compareLook(data: BrandData): void {
  let shown: { look: FirstLook; writes: number | null } | null = null
  data.firstLook.subscribe(() => {
    const look = data.firstLook.get()?.look
    if (look) shown = { look, writes: data.writes.known.get() }
  })
  data.loaded.subscribe(() => {
    // Compares only if nothing was written since the first look was stored, because it does not contain later writes.
    const wanted = shown?.writes === data.writes.known.get() ? firstLookOf(data) : null
    if (!shown || !wanted) return
    firstLookComparisons.compared += 1
    if (!isDeepStrictEqual(plain(shown.look), plain(wanted)))
      firstLookComparisons.wrong.push(
        `the first look is ${JSON.stringify(shown.look)} instead of ${JSON.stringify(wanted)}`,
      )
  })
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
