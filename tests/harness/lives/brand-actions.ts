import { type Action, sessionAndBrand, judgeAttempt, sessionOf } from './attempt.ts'
import { type Brand, isMember, levelOf, markerOf, type Membership, newMarker, roleOf, type World } from './world.ts'
import { hasRows, isSuccess } from './api-client.ts'

/** Creates the model of a brand, whose name only its members may read. */
function newBrand(world: World, id: string): Brand {
  const brand: Brand = {
    id,
    name: '',
    isAlive: true,
    requiresFactor: false,
    members: new Map(),
    formerNames: new Map(),
    possibleMembers: new Map(),
    invitations: [],
    records: [],
    notes: [],
    fields: [],
    tags: [],
    memberVisibleAddresses: new Set(),
    adminVisibleAddresses: new Set(),
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
    const previousBrand = slot.brands.at(-1)
    const idLabel =
      previousBrand === undefined
        ? 'a new id'
        : previousBrand.isAlive
          ? 'the id of a brand'
          : 'the id of a deleted brand'
    const isAllowed = previousBrand === undefined && levelOf(session) > 0
    const sentence = `${session.name} creates a brand with ${idLabel}`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) })) return
    const membership: Membership = { role: 'owner', displayName: null, isOpened: true }
    brand.members.set(session.account, membership)
    brand.memberVisibleAddresses.add(markerOf(session.account.email))
    session.opened.add(membership)
    if (previousBrand) previousBrand.isAlive = false
    slot.brands.push(brand)
  },

  async 'delete brand'(world, step) {
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { session, brand } = selection
    const isAllowed = roleOf(session, brand) === 'owner'
    const response = await world.site.api.rest('DELETE', `brands?id=eq.${brand.id}`, {
      token: session.token,
      withRows: true,
    })
    const sentence = `${session.name} deletes ${brandLabel(world, brand)}`
    if (judgeAttempt(world, step, { what: sentence, isAllowed, isDone: hasRows(response) })) brand.isAlive = false
  },

  async 'open brand'(world, step) {
    const selection = sessionAndBrand(world, step)
    if (!selection || !world.site.functions.has('open_brand')) return
    const { session, brand } = selection
    const isAllowed = isMember(session, brand)
    const response = await world.site.api.rpc('open_brand', { p_brand_id: brand.id }, { token: session.token })
    const sentence = `${session.name} opens ${brandLabel(world, brand)}`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) })) return
    const membership = brand.members.get(session.account)
    if (membership === undefined) return
    membership.isOpened = true
    session.opened.add(membership)
    brand.memberVisibleAddresses.add(markerOf(session.account.email))
  },

  async 'require factor'(world, step) {
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { session, brand } = selection
    const isAllowed = roleOf(session, brand) === 'owner' && levelOf(session) === 2
    const values = { p_brand_id: brand.id, p_required: step.isVariant }
    const response = await world.site.api.rpc('require_second_factor', values, { token: session.token })
    const sentence = `${session.name} ${step.isVariant ? 'requires a' : 'no longer requires a'} second factor in ${brandLabel(world, brand)}`
    if (judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) }))
      brand.requiresFactor = step.isVariant
  },
} satisfies Record<string, Action>

/** Returns the brand's name in the log: 'brand 1', 'brand 2' or 'brand 3'. */
export function brandLabel(world: World, brand: Brand): string {
  return `brand ${world.slots.findIndex(({ id }) => id === brand.id) + 1}`
}
