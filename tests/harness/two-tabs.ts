import type { Channel } from '#web/data/browser/surroundings.ts'
import { browserLocks } from './browser-locks.ts'
import { type LoneTab, openLoneTab } from './lone-tab.ts'

/**
 * Opens two tabs of one browser, each like `openLoneTab`. They share the local database and locks, and exchange messages. Each has its own
 * network.
 */
export async function openTwoTabs(): Promise<{ first: LoneTab; second: LoneTab }> {
  const openChannel = channelsOfOneBrowser()
  const locks = browserLocks()
  const first = await openLoneTab({ openChannel, locks })
  const second = await openLoneTab({ openChannel, locks, indexedDB: first.device.indexedDB })
  return { first, second }
}

/** Creates channels whose messages arrive at all other channels before `postMessage` returns. */
function channelsOfOneBrowser(): () => Channel {
  const listeners = new Map<Channel, ((event: { data: unknown }) => void)[]>()
  return () => {
    const channel: Channel = {
      postMessage: (data) => {
        for (const [otherChannel, channelListeners] of listeners)
          if (otherChannel !== channel) for (const listener of channelListeners) listener({ data })
      },
      addEventListener: (_, listener) => void listeners.get(channel)?.push(listener),
      close: () => void listeners.delete(channel),
    }
    listeners.set(channel, [])
    return channel
  }
}
