import { importRetryable } from '#web/data/server/import-retryable.ts'
import type { rareSending } from './rare-sending.ts'

/** Loads the code of `send` that is rarely needed. Rejects if its file does not load; the next call tries again. */
export async function loadRareSending(): Promise<typeof rareSending> {
  return (await importRetryable(() => import('./rare-sending.ts'))).rareSending
}
