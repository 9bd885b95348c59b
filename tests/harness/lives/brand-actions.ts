import { type Action, sessionAndBrand, judgeAttempt, sessionOf } from './attempt.ts'
import { type Brand, isMember, levelOf, markerOf, type Membership, newMarker, roleOf, type World } from './world.ts'
import { hasChanged, isDone } from './wire.ts'

/** Creates the model of a brand, whose name only its members may read. */
function newBrand(world: World, id: string): Brand {
  const brand: Brand = {
    id,
    name: '',
    isAlive: true,
    requiresFactor: false,
    members: new Map(),
    formerNames: new Map(),
    awaited: new Map(),
    invitations: [],
    records: [],
    notes: [],
    fields: [],
    tags: [],
    known: new Set(),
    invited: new Set(),
    createdAt: Date.now(),
  }
  brand.name = newMarker(world, {
    what: 'the name of a brand',
    mayBeRead: (reader, anyLevel) => isMember(reader, brand, anyLevel),
  })
  return brand
}

export const brandActions = {
  async 'create brand'(world, step) {
    const session = sessionOf(world, step)
    const slot = world.slots[step.brand % world.slots.length]
    if (session === undefined || slot === undefined) return
    const brand = newBrand(world, slot.id)
    const body = { id: brand.id, name: brand.name }
    const response = await world.site.api.rest('POST', 'brands', { token: session.token, body })
    const past = slot.brands.at(-1)
    const id = past === undefined ? 'a new id' : past.isAlive ? 'the id of a brand' : 'the id of a deleted brand'
    const isAllowed = past === undefined && levelOf(session) > 0
    const what = `${session.name} creates a brand with ${id}`
    if (!judgeAttempt(world, step, { what, isAllowed, isDone: isDone(response) })) return
    const membership: Membership = { role: 'owner', displayName: null, isOpened: true }
    brand.members.set(session.account, membership)
    brand.known.add(markerOf(session.account.email))
    session.opened.add(membership)
    if (past) past.isAlive = false
    slot.brands.push(brand)
  },

  async 'delete brand'(world, step) {
    const found = sessionAndBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const isAllowed = roleOf(session, brand) === 'owner'
    const response = await world.site.api.rest('DELETE', `brands?id=eq.${brand.id}`, {
      token: session.token,
      withRows: true,
    })
    const what = `${session.name} deletes ${brandLabel(world, brand)}`
    if (judgeAttempt(world, step, { what, isAllowed, isDone: hasChanged(response) })) brand.isAlive = false
  },

  async 'open brand'(world, step) {
    const found = sessionAndBrand(world, step)
    if (!found || !world.site.functions.has('open_brand')) return
    const { session, brand } = found
    const isAllowed = isMember(session, brand)
    const response = await world.site.api.rpc('open_brand', { p_brand_id: brand.id }, { token: session.token })
    const what = `${session.name} opens ${brandLabel(world, brand)}`
    if (!judgeAttempt(world, step, { what, isAllowed, isDone: isDone(response) })) return
    const membership = brand.members.get(session.account)
    if (membership === undefined) return
    membership.isOpened = true
    session.opened.add(membership)
    brand.known.add(markerOf(session.account.email))
  },

  async 'require factor'(world, step) {
    const found = sessionAndBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const isAllowed = roleOf(session, brand) === 'owner' && levelOf(session) === 2
    const values = { p_brand_id: brand.id, p_required: step.flag }
    const response = await world.site.api.rpc('require_second_factor', values, { token: session.token })
    const what = `${session.name} ${step.flag ? 'requires a' : 'no longer requires a'} second factor in ${brandLabel(world, brand)}`
    if (judgeAttempt(world, step, { what, isAllowed, isDone: isDone(response) })) brand.requiresFactor = step.flag
  },
} satisfies Record<string, Action>

/** Returns the brand's name in the log: 'brand 1', 'brand 2' or 'brand 3'. */
export function brandLabel(world: World, brand: Brand): string {
  return `brand ${world.slots.findIndex(({ id }) => id === brand.id) + 1}`
}
