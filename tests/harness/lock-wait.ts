import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** Waits until a statement of this database waits for a lock. Throws after ten seconds. */
export async function untilLockWait(owner: pg.Pool): Promise<void> {
  const deadline = Date.now() + 10_000
  while (Date.now() < deadline) {
    const { rowCount } = await owner.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rowCount) return
    await sleep(20)
  }
  throw new Error('no statement waits for a lock')
}
