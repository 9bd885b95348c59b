import type { Device } from '#web/data/browser/device.ts'
import type { Timer } from '#web/data/browser/surroundings.ts'
import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { liveSocket } from './live-socket.ts'
import { wait } from '#web/data/browser/wait.ts'
import { untilVisible } from '#web/data/browser/until-visible.ts'

/** The delays before a channel that the server closed is joined again (ms): after the first failure, after the second, and so on. */
const rejoinDelaysMs = [500, 2_000, 5_000, 10_000]
const longestRejoinDelayMs = 30_000

/** If a channel was joined for a shorter time than this (ms), the join counts as refused by the server, and the next delay is longer. */
const stableAfterMs = 10_000

/**
 * Keeps a channel of the tab's socket joined until the brand is closed. `make` creates the channel with its bindings. `onChange` gets the
 * channel when it is joined, and null when it is not. Resolves when the first join has begun or the brand is closed. Does nothing in a
 * browser without WebSocket.
 * - After a lost connection, the official client itself joins again.
 * - After the server has closed the channel (for example, because the token expired while the page was hidden), this function creates a new
 *   channel.
 * - If the socket's code does not load, this function tries to load it again.
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
    const newChannel = make(socket)
    channel = newChannel
    newChannel.subscribe((status: string) => {
      if (isClosed || channel !== newChannel) return
      onChange(status === 'SUBSCRIBED' ? newChannel : null)
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

/** Returns the socket of this tab. Tries again until the socket's code is loaded. Returns null if `isClosed` returns true before that. */
async function socketOf(device: Device, isClosed: () => boolean): Promise<RealtimeClient | null> {
  for (let tries = 0; !isClosed(); tries++) {
    try {
      return await liveSocket(device)
    } catch (error) {
      console.warn('Live changes are not available now.', error)
      await wait(device, rejoinDelaysMs[tries] ?? longestRejoinDelayMs)
    }
  }
  return null
}
