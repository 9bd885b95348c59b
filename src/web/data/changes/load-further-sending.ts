import { importRetryable } from '#web/data/server/import-retryable.ts'
import type { furtherSending } from './further-sending.ts'

/** Loads the code of `send` that is seldom needed. Rejects if its file does not load; the next call tries again. */
export async function loadFurtherSending(): Promise<typeof furtherSending> {
  return (await importRetryable(() => import('./further-sending.ts'))).furtherSending
}
