import { importRetryable } from '#web/data/server/import-retryable.ts'
import type { rareSendCode } from './rare-send-code.ts'

/** Loads the code of `send` that is rarely needed. Rejects if its file does not load; the next call tries again. */
export async function loadRareSendCode(): Promise<typeof rareSendCode> {
  return (await importRetryable(() => import('./rare-send-code.ts'))).rareSendCode
}
