import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SupabaseClient } from '@supabase/supabase-js'

export interface PulseFigures {
  requests: number
  failures: string[]
  /** Milliseconds. */
  p50: number
  p95: number
  slowest: number
}

export interface MemberPulse {
  stop(): Promise<PulseFigures>
}

/**
 * Measures a member's small requests (the deal stages of their brand), one after another with 20 ms between them, under
 * other load. `client` is signed in as a member of the brand.
 */
export function startMemberPulse(client: SupabaseClient, brandId: string): MemberPulse {
  const over = new AbortController()
  const took: number[] = []
  const failures: string[] = []
  const beating = (async () => {
    while (!over.signal.aborted) {
      const started = performance.now()
      const { data, error } = await client.from('deal_stages').select('id').eq('brand_id', brandId)
      took.push(performance.now() - started)
      if (error) failures.push(error.message)
      else if (data.length === 0) failures.push('no row')
      await sleep(20)
    }
  })()
  return {
    async stop() {
      over.abort()
      await beating
      took.sort((a, b) => a - b)
      const at = (share: number) => Math.round(took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0)
      return { requests: took.length, failures, p50: at(0.5), p95: at(0.95), slowest: at(1) }
    },
  }
}

/** The resident memory of a process, in MiB. Linux. */
export function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

/** The process's resident memory after garbage collection (MiB): the lowest value within half a minute without work. */
export async function lowestResidentMiB(pid: number): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY
  for (let i = 0; i < 60; i++) {
    await sleep(500)
    lowest = Math.min(lowest, residentMiB(pid))
  }
  return Math.round(lowest)
}
