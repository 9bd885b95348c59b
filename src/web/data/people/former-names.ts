import { isRefusal } from '#web/data/server/is-refusal.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'
import { logUnlessTemporary } from '#web/data/query/server-source.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { namesOfFormerMembers } from './names-of-former-members.ts'

/** Names that are needed within this time are requested together. */
const gatherMs = 20
const peoplePerRequest = 100

/** `waiting`: the user ids for the next request. `requested`: the user ids that were requested or are waiting. */
const requests = perBrand(() => ({ waiting: new Set<string>(), requested: new Set<string>() }))

/**
 * Requests the name of a person who has left the brand, together with other such names. Names are not stored on the device. If the
 * request fails, the name is requested again when it is shown next.
 */
export function requestFormerName(data: BrandData, userId: string): void {
  const { waiting, requested } = requests(data)
  if (requested.has(userId)) return
  requested.add(userId)
  waiting.add(userId)
  if (waiting.size === 1) data.device.clock.setTimeout(() => void sendRequest(data), gatherMs)
}

async function sendRequest(data: BrandData): Promise<void> {
  const { waiting, requested } = requests(data)
  const wanted = [...waiting].slice(0, peoplePerRequest)
  for (const id of waiting) if (!wanted.includes(id)) requested.delete(id)
  waiting.clear()
  const names = namesOfFormerMembers(data)
  try {
    const args = { p_brand_id: data.brandId, p_user_ids: wanted }
    const answer = await rpc<{ id: string; name: string }[]>(data.device, data.userId, 'former_members', args)
    if (answer.length > 0) names.set(new Map([...names.get(), ...answer.map(({ id, name }) => [id, name] as const)]))
  } catch (error) {
    for (const id of wanted) requested.delete(id)
    // A member who was removed meanwhile gets no names. The page says so as soon as this device learns of the removal.
    if (error instanceof RpcError && isRefusal(error, 'NOT_AUTHORIZED')) return
    logUnlessTemporary('The names of people who have left could not be fetched.', error)
  }
}
