import { beforeEach, expect, it, vi } from 'vitest'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { membershipsOf } from '#web/data/people/brands.ts'
import { acme, ana, type LoneTab, openLoneTab } from '#tests/harness/lone-tab.ts'
import { openTap } from './open-tap.ts'

const slate = '00000000-0000-4000-8000-0000000051a7'
const id = '00000000-0000-4000-8000-000000000001'
const path = '/crm/import-contacts#import-7'
const open = vi.fn()

let tab: LoneTab
beforeEach(async () => {
  open.mockClear()
  tab = await openLoneTab()
  const membership = { name: 'Slate', slug: 'slate', role: 'member' as const }
  const memberships = [{ ...membership, brandId: slate }]
  membershipsOf(tab.device).set({ userId: ana, ready: true, fresh: true, memberships, error: null })
  const notification = {
    id,
    brand_id: acme,
    kind: 'task_due',
    title: 'Call',
    created_at: '2026-11-20T09:00:00Z',
    read_at: null,
  }
  tab.network.on('GET /rest/v1/notifications', () => ({ body: [notification] }))
  tab.network.on('GET /rest/v1/memberships', () => ({ body: [] }))
  tab.network.on('PATCH /rest/v1/notifications', () => ({ status: 204 }))
})

it('a tapped push of the open brand opens its page, and its notification is marked as read', async () => {
  await openTap(tab.data, { type: 'open', path, brandId: acme, notificationId: id }, open)
  expect(open.mock.calls).toEqual([[path]])
  expect(tab.network.of('PATCH /rest/v1/notifications')[0]?.filters.id).toBe(`in.(${id})`)
})

it('a tapped push of another brand switches to this brand first, and its notification is marked as read in this brand', async () => {
  open.mockImplementationOnce(() => expect(activeBrandState(tab.device).get().brandId).toBe(slate))
  await openTap(tab.data, { type: 'open', path, brandId: slate, notificationId: id }, open)
  expect(open.mock.calls).toEqual([[path]])
  expect(tab.network.of('PATCH /rest/v1/notifications')[0]?.filters).toMatchObject({
    id: `eq.${id}`,
    brand_id: `eq.${slate}`,
  })
})

it('a tapped push of a brand that the user has left opens no page of another brand', async () => {
  await openTap(tab.data, { type: 'open', path, brandId: ana, notificationId: id }, open)
  expect(open).not.toHaveBeenCalled()
})
