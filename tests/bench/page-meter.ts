import type { CDPSession, Page } from '@playwright/test'
import { tasksDuring } from '../harness/longest-task.ts'
import { processMegabytes } from './process-memory.ts'

/** What the rule for interactive pages calls a long task (ms). */
export const longTaskMs = 50
/** A phone of the middle class is about this much slower than this machine. */
export const slowdown = 4

/** The kinds of a heap snapshot that a script makes. */
const scriptKinds = ['object', 'array', 'string', 'concatenated string', 'sliced string', 'closure', 'number', 'bigint']

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: string[][] } }
  nodes: number[]
}

/** What a tab holds after its garbage was collected. */
export interface Held {
  /** The JavaScript heap, MB. It grows for a long time, because the browser compiles what runs often. */
  heap: number
  /** Of it objects, arrays, closures and texts, MB: what a script keeps. */
  objects: number
  /** Memory of the tab's process that it does not share, and its part of the shared (PSS), MB. */
  process: number
  /** DOM nodes that exist, in the document or kept by a script. */
  nodes: number
  listeners: number
}

/** Figures of a page that other load of the machine hardly changes: processor time, bytes, counts. */
export class PageMeter {
  private constructor(
    readonly page: Page,
    private readonly cdp: CDPSession,
    private readonly pid: number | undefined,
  ) {}

  /** `pid`: the process of the page, one of `rendererPids`. */
  static async of(page: Page, pid: number | undefined): Promise<PageMeter> {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    await cdp.send('HeapProfiler.enable')
    return new PageMeter(page, cdp, pid)
  }

  /** What is held now, after a collection of garbage. */
  async held(): Promise<Held> {
    // A second collection takes what the first one's finalizers let go.
    for (let round = 0; round < 2; round++) {
      await this.cdp.send('HeapProfiler.collectGarbage')
      await this.page.waitForTimeout(300)
    }
    const figures = await this.figures()
    return {
      heap: (figures.JSHeapUsedSize ?? 0) / 1e6,
      objects: (await this.objectBytes()) / 1e6,
      process: processMegabytes(this.pid),
      nodes: figures.Nodes ?? 0,
      listeners: figures.JSEventListeners ?? 0,
    }
  }

  /** Processor time of the page's main thread since it was opened (ms). */
  async busy(): Promise<number> {
    const { TaskDuration = 0 } = await this.figures()
    return TaskDuration * 1000
  }

  /**
   * The tasks of the main thread while `work` runs, by processor time times the slowdown of a phone. The browser's own brake works by the clock, so
   * it cannot be used on a machine with other load.
   */
  async tasks(work: () => Promise<void>): Promise<{ longest: number; long: number }> {
    const tasks = await tasksDuring(this.page, work)
    const busy = tasks.map(({ busy: ms }) => ms * slowdown)
    return { longest: Math.max(0, ...busy), long: busy.filter((ms) => ms > longTaskMs).length }
  }

  async close(): Promise<void> {
    await this.cdp.detach()
  }

  /** Bytes of what scripts keep, by a heap snapshot: all but compiled code, shapes of objects and what the browser itself holds. */
  private async objectBytes(): Promise<number> {
    const chunks: string[] = []
    const keep = ({ chunk }: { chunk: string }) => void chunks.push(chunk)
    this.cdp.on('HeapProfiler.addHeapSnapshotChunk', keep)
    await this.cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
    this.cdp.off('HeapProfiler.addHeapSnapshotChunk', keep)
    const { snapshot, nodes } = JSON.parse(chunks.join('')) as Snapshot
    const { node_fields: fields, node_types: types } = snapshot.meta
    const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
    const kinds = new Set(scriptKinds.map((kind) => types[0]?.indexOf(kind)))
    let bytes = 0
    for (let at = 0; at < nodes.length; at += fields.length)
      if (kinds.has(nodes[at + type])) bytes += nodes[at + size] ?? 0
    return bytes
  }

  private async figures(): Promise<Partial<Record<string, number>>> {
    const { metrics } = await this.cdp.send('Performance.getMetrics')
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
  }
}

/** The processes of the browser's pages. */
export async function rendererPids(page: Page): Promise<number[]> {
  const cdp = await page.context().browser()?.newBrowserCDPSession()
  if (!cdp) throw new Error('the browser was not started here')
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  await cdp.detach()
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}
