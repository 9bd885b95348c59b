import type { Device } from '#web/data/browser/device.ts'
import { postToTabs } from '#web/data/browser/tab-channel.ts'
import { connectionState, longestPauseMs, reachable, startPause } from './network.ts'

/** A smaller difference between the clocks of the server and this device is not corrected (ms). */
const clockToleranceMs = 1000

/**
 * Records what an answer shows: that the server is reachable, its time and, after a data request, the pause that it asks for. All tabs of a
 * browser pause together. `sentAt`: the device's time when the request was sent, so that a slow answer is not mistaken for a wrong clock.
 */
export function recordAnswer(device: Device, response: Response, sentAt: number, isData: boolean): void {
  const pauseMs = isData ? requestedPause(device, response) : 0
  if (pauseMs > 0) {
    startPause(device, pauseMs)
    postToTabs(device, { type: 'pause', until: device.clock.now() + pauseMs })
  }
  const date = Date.parse(response.headers.get('date') ?? '')
  if (Number.isFinite(date)) {
    // The server wrote the Date header between `sentAt` and now, and rounded it down to whole seconds.
    const [minOffset, maxOffset] = [date - device.clock.now(), date + 1000 - sentAt]
    connectionState(device).clockOffset =
      minOffset > clockToleranceMs ? minOffset : maxOffset < -clockToleranceMs ? maxOffset : 0
  }
  reachable(device).set(true)
}

/** Returns the pause that a 429 or 503 asks for, in milliseconds, at most five minutes. 0 if there is none. */
function requestedPause(device: Device, { status, headers }: Response): number {
  const requested = headers.get('retry-after')
  if (!requested || (status !== 429 && status !== 503)) return 0
  const seconds = Number(requested)
  const pauseMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(requested) - device.clock.now()
  return Number.isFinite(pauseMs) ? Math.min(Math.max(pauseMs, 0), longestPauseMs) : 0
}
