import { complain, nameAtJoining, type World } from './world.ts'

interface MembershipRow {
  brand_id: string
  user_id: string
  role: string
  display_name: string
}

interface BrandRow {
  id: string
  requires_second_factor: boolean
}

/**
 * Records a complaint for each difference between the model and the stored brands and memberships: a step that must be refused must have no effect.
 */
export async function judgeMemberships(world: World): Promise<void> {
  const ids = world.slots.map(({ id }) => id).join(',')
  const { api } = world.site
  const [membershipRows, brandRows] = await Promise.all([
    api.asService(`memberships?select=brand_id,user_id,role,display_name&brand_id=in.(${ids})`),
    api.asService(`brands?select=id,name,requires_second_factor&id=in.(${ids})`),
  ])
  for (const [index, { id, brands }] of world.slots.entries()) {
    const brand = brands.at(-1)
    const brandName = `brand ${index + 1}`
    const row = (brandRows.body as unknown as BrandRow[]).find((one) => one.id === id)
    if ((row !== undefined) !== (brand?.isAlive ?? false))
      complain(world, `${brandName} ${row ? 'exists' : 'does not exist'}`)
    if (row && brand?.isAlive && row.requires_second_factor !== brand.requiresFactor)
      complain(world, `${brandName} ${row.requires_second_factor ? 'requires' : 'no longer requires'} a second factor`)
    const storedRows = (membershipRows.body as unknown as MembershipRow[]).filter((one) => one.brand_id === id)
    if (brand?.isAlive) compareMembers(world, brandName, brand, storedRows)
  }
}

function compareMembers(
  world: World,
  brandName: string,
  brand: World['slots'][number]['brands'][number],
  storedRows: readonly MembershipRow[],
): void {
  for (const row of storedRows) {
    const account = world.accounts.find(({ id }) => id === row.user_id)
    const accountName = account?.name ?? 'somebody unknown'
    const role = account && brand.possibleMembers.get(account)
    if (account && !brand.members.has(account) && role === row.role) {
      // The account joined without a step, because mail has confirmed its invited e-mail address.
      brand.members.set(account, { role, displayName: nameAtJoining(brand, account), isOpened: true })
      brand.invitations = brand.invitations.filter(({ email }) => email !== account.email)
      brand.memberVisibleAddresses.add(account.email.split('@')[0] ?? '')
    }
    const member = account && brand.members.get(account)
    if (!member) complain(world, `${accountName} has become ${row.role} of ${brandName}`)
    else if (member.role !== row.role)
      complain(world, `${accountName} is ${row.role} of ${brandName}, not ${member.role}`)
    else if (member.displayName !== null && member.displayName !== row.display_name)
      complain(world, `${accountName} has another display name in ${brandName}`)
    else if (
      member.displayName === null &&
      world.secrets.get(row.display_name)?.what.startsWith('the display name of ')
    )
      complain(world, `${accountName} has another display name in ${brandName}`)
  }
  for (const account of brand.members.keys()) {
    if (!storedRows.some((row) => row.user_id === account.id))
      complain(world, `${account.name} is no longer in ${brandName}`)
  }
  brand.possibleMembers.clear()
}

/** Records a complaint for each ended session that the server still accepts. */
export async function judgeSessions(world: World): Promise<void> {
  for (const session of world.sessions.filter(({ isAlive }) => !isAlive)) {
    const { status } = await world.site.api.auth('GET', '/user', { token: session.token })
    if (status === 200) complain(world, `${session.name} has ended, and still works`)
  }
}
