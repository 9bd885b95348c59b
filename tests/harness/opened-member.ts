import { expect, type Person } from './browser.ts'

/** Adds a person to a brand and opens the brand as that person, so that colleagues can see them. */
export async function addOpenedMember(owner: Person, person: Person, role = 'member'): Promise<void> {
  const args = { p_brand_id: owner.brandId, p_email: person.email, p_role: role }
  expect((await owner.client.rpc('add_brand_member_by_email', args)).error).toBeNull()
  expect((await person.client.rpc('open_brand', { p_brand_id: owner.brandId })).error).toBeNull()
}
