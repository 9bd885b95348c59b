import type { CDPSession, Page } from '@playwright/test'
import { tasksDuring } from '../harness/longest-task.ts'
import { processMegabytes } from './process-memory.ts'

/** Tasks of the main thread above this duration count as long (ms; W3C Long Tasks API). */
export const longTaskMs = 50
/** A mid-range phone is slower than the machine of the measurements by about this factor. */
export const phoneSlowdown = 4

/** The types of heap snapshot nodes that scripts create. */
const scriptKinds = ['object', 'array', 'string', 'concatenated string', 'sliced string', 'closure', 'number', 'bigint']

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: string[][] } }
  nodes: number[]
}

/** Memory of a tab after a garbage collection. */
export interface TabMemory {
  /** The JavaScript heap, MB. It keeps growing for a while, because the browser compiles frequently used functions. */
  heap: number
  /** The part of the heap that scripts allocate: objects, arrays, closures, numbers and strings, MB. */
  objects: number
  /** Memory of the tab's process: private memory and its share of shared memory (PSS), MB. */
  process: number
  /**
   * Responses since the meter was created, MB. Playwright's debugger keeps their bodies in the tab's process, up to its limit; a browser without it
   * keeps none. So `process` grows with this figure, even in a page without an app.
   */
  received: number
  /** DOM nodes, in the document or referenced by a script. */
  nodes: number
  listeners: number
}

/** Measures figures of a page that other load on the machine hardly affects: processor time, bytes, counts. */
export class PageMeter {
  /** Bytes of all responses since the meter was created. */
  private received = 0

  private constructor(
    readonly page: Page,
    private readonly cdp: CDPSession,
    private readonly pid: number | undefined,
  ) {}

  /** Creates the meter of a page. `pid`: the process of the page, one of `rendererPids`. */
  static async of(page: Page, pid: number | undefined): Promise<PageMeter> {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
    await cdp.send('HeapProfiler.enable')
    const meter = new PageMeter(page, cdp, pid)
    // This session only counts bytes. Without these limits it would keep the bodies of the responses a second time.
    await cdp.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 })
    cdp.on('Network.dataReceived', ({ dataLength }) => (meter.received += dataLength))
    return meter
  }

  /** Collects garbage and measures the memory. */
  async memory(): Promise<TabMemory> {
    // The second collection frees objects that the finalizers of the first one released.
    for (let round = 0; round < 2; round++) {
      await this.cdp.send('HeapProfiler.collectGarbage')
      await this.page.waitForTimeout(300)
    }
    const figures = await this.figures()
    return {
      heap: (figures.JSHeapUsedSize ?? 0) / 1e6,
      objects: (await this.objectBytes()) / 1e6,
      process: processMegabytes(this.pid),
      received: this.received / 1e6,
      nodes: figures.Nodes ?? 0,
      listeners: figures.JSEventListeners ?? 0,
    }
  }

  /** Returns the processor time of the page's main thread since the meter was created (ms). */
  async busy(): Promise<number> {
    const { TaskDuration = 0 } = await this.figures()
    return TaskDuration * 1000
  }

  /**
   * Measures the tasks of the main thread while `work` runs: processor time multiplied by the slowdown of a phone. Returns the longest (ms), and
   * the number of long ones. The browser's own CPU throttling depends on elapsed time, so it cannot be used on a machine with other load.
   */
  async tasks(work: () => Promise<void>): Promise<{ longest: number; long: number }> {
    const tasks = await tasksDuring(this.page, work)
    const phoneMs = tasks.map(({ busy: ms }) => ms * phoneSlowdown)
    return { longest: Math.max(0, ...phoneMs), long: phoneMs.filter((ms) => ms > longTaskMs).length }
  }

  async close(): Promise<void> {
    await this.cdp.detach()
  }

  /** Takes a heap snapshot and sums the bytes that scripts allocate, without compiled code, object shapes and memory of the browser itself. */
  private async objectBytes(): Promise<number> {
    const chunks: string[] = []
    const addChunk = ({ chunk }: { chunk: string }) => void chunks.push(chunk)
    this.cdp.on('HeapProfiler.addHeapSnapshotChunk', addChunk)
    await this.cdp.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
    this.cdp.off('HeapProfiler.addHeapSnapshotChunk', addChunk)
    const { snapshot, nodes } = JSON.parse(chunks.join('')) as Snapshot
    const { node_fields: fields, node_types: types } = snapshot.meta
    const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
    const scriptTypes = new Set(scriptKinds.map((kind) => types[0]?.indexOf(kind)))
    let bytes = 0
    for (let nodeStart = 0; nodeStart < nodes.length; nodeStart += fields.length)
      if (scriptTypes.has(nodes[nodeStart + type])) bytes += nodes[nodeStart + size] ?? 0
    return bytes
  }

  private async figures(): Promise<Partial<Record<string, number>>> {
    const { metrics } = await this.cdp.send('Performance.getMetrics')
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
  }
}

/** Returns the ids of the browser's renderer processes: those of its pages, and of a spare one. */
export async function rendererPids(page: Page): Promise<number[]> {
  const cdp = await page.context().browser()?.newBrowserCDPSession()
  if (!cdp) throw new Error('the page belongs to no browser that this process started')
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  await cdp.detach()
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}
