import { type Act, inBrand, judge, sessionOf } from './attempt.ts'
import { type Brand, isMember, levelOf, markerOf, type Membership, newMarker, roleOf, type World } from './world.ts'
import { hasChanged, isDone } from './wire.ts'

/** A brand of that id, with its name known to its members. */
function newBrand(world: World, id: string): Brand {
  const brand: Brand = {
    id,
    name: '',
    isAlive: true,
    demandsFactor: false,
    members: new Map(),
    awaited: new Map(),
    invitations: [],
    records: [],
    notes: [],
    fields: [],
    tags: [],
    known: new Set(),
    invited: new Set(),
    since: Date.now(),
  }
  brand.name = newMarker(world, {
    what: 'the name of a brand',
    mayBeRead: (reader, anyLevel) => isMember(reader, brand, anyLevel),
  })
  return brand
}

export const brandActs = {
  async 'found brand'(world, step) {
    const session = sessionOf(world, step)
    const slot = world.slots[step.brand % world.slots.length]
    if (session === undefined || slot === undefined) return
    const brand = newBrand(world, slot.id)
    const body = { id: brand.id, name: brand.name }
    const answer = await world.site.wire.rest('POST', 'brands', { token: session.token, body })
    const past = slot.lives.at(-1)
    const id = past === undefined ? 'a new id' : past.isAlive ? 'the id of a brand' : 'the id of a deleted brand'
    const isAllowed = past === undefined && levelOf(session) > 0
    const what = `${session.name} founds a brand with ${id}`
    if (!judge(world, step, { what, isAllowed, isDone: isDone(answer) })) return
    const membership: Membership = { role: 'owner', displayName: null, isOpened: true }
    brand.members.set(session.account, membership)
    brand.known.add(markerOf(session.account.email))
    session.opened.add(membership)
    if (past) past.isAlive = false
    slot.lives.push(brand)
  },

  async 'delete brand'(world, step) {
    const found = inBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const isAllowed = roleOf(session, brand) === 'owner'
    const answer = await world.site.wire.rest('DELETE', `brands?id=eq.${brand.id}`, {
      token: session.token,
      withRows: true,
    })
    const what = `${session.name} deletes ${placeOf(world, brand)}`
    if (judge(world, step, { what, isAllowed, isDone: hasChanged(answer) })) brand.isAlive = false
  },

  async 'open brand'(world, step) {
    const found = inBrand(world, step)
    if (!found || !world.site.functions.has('open_brand')) return
    const { session, brand } = found
    const isAllowed = isMember(session, brand)
    const answer = await world.site.wire.rpc('open_brand', { p_brand_id: brand.id }, { token: session.token })
    const what = `${session.name} opens ${placeOf(world, brand)}`
    if (!judge(world, step, { what, isAllowed, isDone: isDone(answer) })) return
    const membership = brand.members.get(session.account)
    if (membership === undefined) return
    membership.isOpened = true
    session.opened.add(membership)
    brand.known.add(markerOf(session.account.email))
  },

  async 'demand factor'(world, step) {
    const found = inBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const isAllowed = roleOf(session, brand) === 'owner' && levelOf(session) === 2
    const values = { p_brand_id: brand.id, p_required: step.flag }
    const answer = await world.site.wire.rpc('require_second_factor', values, { token: session.token })
    const what = `${session.name} ${step.flag ? 'demands a' : 'no longer demands a'} second factor in ${placeOf(world, brand)}`
    if (judge(world, step, { what, isAllowed, isDone: isDone(answer) })) brand.demandsFactor = step.flag
  },
} satisfies Record<string, Act>

/** For the log: brand 1, 2 or 3. */
export function placeOf(world: World, brand: Brand): string {
  return `brand ${world.slots.findIndex(({ id }) => id === brand.id) + 1}`
}
