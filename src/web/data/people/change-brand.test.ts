import { expect, test, vi } from 'vitest'
import { acme, ana, openLoneTab } from '#tests/harness/lone-tab.ts'
import { localDatabase } from '#web/data/store/local-db.ts'
import { leaveBrand } from './change-brand.ts'

test('leaving a brand succeeds even if its rows cannot be removed from the disk', async () => {
  const tab = await openLoneTab()
  tab.network.on('DELETE /rest/v1/memberships', () => ({ body: [{ user_id: ana }] }))
  vi.spyOn(localDatabase(tab.device, ana), 'deleteBrand').mockRejectedValue(new Error('disk'))
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  try {
    expect(await leaveBrand(tab.device, acme, null)).toMatchObject({ status: 'saved' })
  } finally {
    warn.mockRestore()
  }
})
