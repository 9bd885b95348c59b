import type { DealStage } from './rows.ts'

/** The stages of the active brand, by position. */
export function useDealStages(): { ready: boolean; stages: readonly DealStage[] } {
  return { ready: false, stages: [] }
}
