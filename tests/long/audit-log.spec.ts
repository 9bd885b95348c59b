import { createPerson, expect, openAs, test } from '../harness/browser.ts'

test('an audit log of 130 lines is read page by page, newest first, each line once', async ({ page, server }) => {
  const ana = await createPerson(server, { brand: 'Acme' })
  await server.database?.owner.query(
    `insert into private.brand_events (brand_id, at, event, user_id, detail)
     select $1, now() + n * interval '1 second', 'invitation_sent', $2,
       jsonb_build_object('email', 'person' || n || '@example.com', 'role', 'member')
     from generate_series(1, 130) n`,
    [ana.brandId, ana.userId],
  )
  await openAs(page, ana, '/crm/overview')
  await page.goto('/crm/settings?tab=brand')
  const auditLog = page.getByRole('region', { name: 'Audit log' })
  const lines = auditLog.getByRole('listitem')
  await expect(lines.first()).toContainText('person130@example.com')
  const firstCount = await lines.count()
  expect(firstCount).toBeLessThan(130)
  const olderButton = auditLog.getByRole('button', { name: 'Show older' })
  for (let shownCount = firstCount; await olderButton.isVisible(); shownCount = await lines.count()) {
    await olderButton.click()
    await expect.poll(() => lines.count()).toBeGreaterThan(shownCount)
  }
  const numbers = (await lines.allTextContents()).flatMap((line) => /person(\d+)@/.exec(line)?.[1] ?? [])
  expect(numbers).toEqual(Array.from({ length: 130 }, (_, index) => String(130 - index)))
  await expect(lines.last()).toContainText(/joined|founded|made/)
})
