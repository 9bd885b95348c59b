import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SupabaseClient } from '@supabase/supabase-js'

/** Figures of the measured requests. */
export interface RequestFigures {
  requests: number
  failures: string[]
  /** `p50`, `p95` and `slowest`: the median, the 95th percentile and the maximum of the durations of the requests (ms). */
  p50: number
  p95: number
  slowest: number
}

/** A running measurement. `stop` ends it and returns the figures. */
export interface RequestMeasurement {
  stop(): Promise<RequestFigures>
}

/**
 * Measures how long small requests take while the server has other load. A member reads the deal stages of their brand again and again, with
 * pauses of 20 ms. `client`: signed in as a member of the brand.
 */
export function measureSmallRequests(client: SupabaseClient, brandId: string): RequestMeasurement {
  const stopping = new AbortController()
  const durations: number[] = []
  const failures: string[] = []
  const measuring = (async () => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      const { data, error } = await client.from('deal_stages').select('id').eq('brand_id', brandId)
      durations.push(performance.now() - startedAt)
      if (error) failures.push(error.message)
      else if (data.length === 0) failures.push('no row')
      await sleep(20)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await measuring
      durations.sort((a, b) => a - b)
      const percentile = (share: number) =>
        Math.round(durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? 0)
      return {
        requests: durations.length,
        failures,
        p50: percentile(0.5),
        p95: percentile(0.95),
        slowest: percentile(1),
      }
    },
  }
}

/** Returns the resident memory of a process, in MiB (Linux). */
export function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** Returns the lowest resident memory of an idle process within half a minute (MiB): its memory after a garbage collection. */
export async function lowestResidentMiB(pid: number): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY
  for (let i = 0; i < 60; i++) {
    await sleep(500)
    lowest = Math.min(lowest, residentMiB(pid))
  }
  return Math.round(lowest)
}
