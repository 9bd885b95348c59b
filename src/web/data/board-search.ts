import { useDevice } from '#web/data/browser/device.ts'
import { reachable } from '#web/data/server/network.ts'
import { useBrandData } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import { useObservable } from '#web/lib/observable.ts'

/** Whether a search of the board covers only the rows on this device, because a table is windowed and the server is unreachable. */
export function useSearchesDeviceOnly(): boolean {
  const device = useDevice()
  const data = useBrandData()
  const isReachable = useObservable(reachable(device))
  if (!data || isReachable) return false
  const state = data.state.get()
  return !(['deals', 'contacts', 'companies'] as const).every((table) => isComplete(state, table))
}
