import { isDeepStrictEqual } from 'node:util'
import type { Device } from '#web/data/browser/device.ts'
import { firstLookOf, storeFirstLook } from '#web/data/keep-first-look.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import type { FirstLook } from '#web/data/store/first-look.ts'

/** How many looks were compared with the rows beside them, and what was wrong with which. */
export const looks = { compared: 0, wrong: new Array<string>() }

/** The device keeps looks at the board, as one that shows it. Each that it shows when it is opened must be of exactly the rows that it reads then. */
export function showBoard(device: Device): void {
  // Without it a look is kept after half a second of the real clock, when the life has gone on.
  globalThis.requestIdleCallback ??= (run) =>
    Number(setTimeout(() => run({ didTimeout: false, timeRemaining: () => 0 })))
  let seen: BrandData | null = null
  openBrand(device).subscribe(() => {
    const data = openBrand(device).get()
    if (!data || data === seen) return
    seen = data
    storeFirstLook(data)
    compareLook(data)
  })
}

function compareLook(data: BrandData): void {
  let shown: { look: FirstLook; writes: number | null } | null = null
  data.firstLook.subscribe(() => {
    const look = data.firstLook.get()?.look
    if (look) shown = { look, writes: data.writes.known.get() }
  })
  data.loaded.subscribe(() => {
    // What is written meanwhile is not in the look.
    const wanted = shown?.writes === data.writes.known.get() ? firstLookOf(data) : null
    if (!shown || !wanted) return
    looks.compared += 1
    if (!isDeepStrictEqual(plain(shown.look), plain(wanted)))
      looks.wrong.push(`the look is ${JSON.stringify(shown.look)} instead of ${JSON.stringify(wanted)}`)
  })
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
