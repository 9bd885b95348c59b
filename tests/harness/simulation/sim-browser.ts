import type { Channel, Locks } from '#web/data/browser/surroundings.ts'
import { browserDatabase } from '../browser-database.ts'

/** The life of one page: from the moment when its tab is opened until it is killed or closed. */
export class PageLife {
  isOver = false
  /** Resolves when the page is killed or closed. */
  readonly ended: Promise<void>
  private resolveEnded = () => {}

  constructor() {
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve
    })
  }

  end(): void {
    this.isOver = true
    this.resolveEnded()
  }
}

/** The parts of a browser that its tabs share: the disk, the locks, and a channel for messages. They outlive the pages. */
export class SimBrowser {
  readonly disk = browserDatabase()
  /** The number of its tabs. */
  tabs = 0
  /** The number of pages that were opened in its tabs. */
  pages = 0
  /** The time of all tabs' clocks at their start. */
  readonly startedAt = Date.now()
  private readonly lockEnds = new Map<string, Promise<unknown>>()
  private readonly listeners = new Map<PageLife, ((event: { data: unknown }) => void)[]>()

  /** Returns the locks for a page. They are released when it ends. */
  locksFor(page: PageLife): Locks {
    return {
      request: <T>(name: string, work: () => Promise<T>): Promise<T> => {
        const before = this.lockEnds.get(name) ?? Promise.resolve()
        const run = before.then(() => (page.isOver ? new Promise<T>(() => {}) : work()))
        const end = before.then(() => Promise.race([run.catch(() => {}), page.ended]))
        this.lockEnds.set(name, end)
        return run
      },
    }
  }

  /** Opens a channel for a page. Messages arrive at the other pages in a later turn of the event loop, as copies. */
  openChannelFor(page: PageLife): Channel {
    this.listeners.set(page, [])
    return {
      postMessage: (message) => {
        const data = structuredClone(message)
        setImmediate(() => {
          for (const [other, all] of page.isOver ? [] : this.listeners)
            if (other !== page && !other.isOver) for (const listener of all) listener({ data })
        })
      },
      addEventListener: (_, listener) => void this.listeners.get(page)?.push(listener),
      close: () => void this.listeners.delete(page),
    }
  }
}
