import type { Channel, Locks } from '#web/data/browser/surroundings.ts'
import { browserDatabase } from '../browser-database.ts'

/** The life of one page: from the moment when its tab is opened until the page is killed or closed. */
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
  /** The number of the browser's tabs. */
  tabs = 0
  /** The number of pages that were opened in the browser's tabs. */
  pages = 0
  /** The time of all tabs' clocks at their start. */
  readonly startedAt = Date.now()
  private readonly lockEnds = new Map<string, Promise<unknown>>()
  private readonly listeners = new Map<PageLife, ((event: { data: unknown }) => void)[]>()

  /** Returns the locks for a page. A lock is released when its work ends or the page ends. */
  locksFor(page: PageLife): Locks {
    return {
      request: <T>(name: string, work: () => Promise<T>): Promise<T> => {
        const previousEnd = this.lockEnds.get(name) ?? Promise.resolve()
        const run = previousEnd.then(() => (page.isOver ? new Promise<T>(() => {}) : work()))
        const end = previousEnd.then(() => Promise.race([run.catch(() => {}), page.ended]))
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
          for (const [otherPage, pageListeners] of page.isOver ? [] : this.listeners)
            if (otherPage !== page && !otherPage.isOver) for (const listener of pageListeners) listener({ data })
        })
      },
      addEventListener: (_, listener) => void this.listeners.get(page)?.push(listener),
      close: () => void this.listeners.delete(page),
    }
  }
}
