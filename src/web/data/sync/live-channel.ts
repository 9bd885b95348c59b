import type { Device } from '#web/data/browser/device.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { liveSocket } from './live-socket.ts'
import { wait } from '#web/data/browser/wait.ts'
import { untilVisible } from '#web/data/browser/until-visible.ts'

/** Time before a channel that the server closed is joined again: after the first failure, the second, … */
const rejoinDelaysMs = [500, 2_000, 5_000, 10_000]
const longestRejoinDelayMs = 30_000

/** A channel that was joined for less time than this counts as refused: the next delay is longer. */
const stableAfterMs = 10_000

/**
 * Keeps a channel of the tab's socket joined until the brand is closed. `make` makes it with its bindings. `onChange` gets the channel
 * when it is joined, and null when it is not. The official client joins again after a lost connection. It does not after the server has
 * closed the channel (the token expired while the page was hidden), so this makes a new one. Where the socket's code does not load, this
 * tries again. Resolves after the first join was begun.
 */
export async function keepJoined(
  data: BrandData,
  make: (socket: RealtimeClient) => RealtimeChannel,
  onChange: (channel: RealtimeChannel | null) => void,
): Promise<void> {
  if (!data.device.WebSocket) return
  let isClosed = false
  data.onClose(() => {
    isClosed = true
  })
  const socket = await socketOf(data.device, () => isClosed)
  if (!socket) return
  let timer: Timer | undefined
  let channel: RealtimeChannel | null = null
  let tries = 0
  let joinedAt = Number.NaN
  const join = () => {
    if (isClosed) return
    const made = make(socket)
    channel = made
    made.subscribe((status: string) => {
      if (isClosed || channel !== made) return
      onChange(status === 'SUBSCRIBED' ? made : null)
      if (status === 'SUBSCRIBED') joinedAt = data.device.clock.now()
      if (status !== 'CLOSED') return
      channel = null
      if (data.device.clock.now() - joinedAt > stableAfterMs) tries = 0
      timer = data.device.clock.setTimeout(
        () => void untilVisible().then(join),
        rejoinDelaysMs[tries] ?? longestRejoinDelayMs,
      )
      tries += 1
    })
  }
  join()
  data.onClose(() => {
    data.device.clock.clearTimeout(timer)
    onChange(null)
    if (channel) void socket.removeChannel(channel)
  })
}

/** The tab's socket, tried until it is there; null once `isClosed`. */
async function socketOf(device: Device, isClosed: () => boolean): Promise<RealtimeClient | null> {
  for (let tries = 0; !isClosed(); tries++) {
    try {
      return await liveSocket(device)
    } catch (error) {
      console.warn('There are no live changes now; this page asks for them by a timer.', error)
      await wait(device, rejoinDelaysMs[tries] ?? longestRejoinDelayMs)
    }
  }
  return null
}
