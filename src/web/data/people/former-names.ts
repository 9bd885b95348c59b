import { rpc } from '#web/data/server/rpc.ts'
import { logFault } from '#web/data/query/server-source.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import { knownFormer } from './known-former.ts'

/** People who are met within so many milliseconds are asked about together. */
const gatherMs = 20
const peoplePerRequest = 100

/** Who will be asked about, and who was. */
const asking = perBrand(() => ({ waiting: new Set<string>(), asked: new Set<string>() }))

/** Asks the server how people who have left were called. They are not stored on this device; without an answer the next sight asks again. */
export function askForName(data: BrandData, userId: string): void {
  const { waiting, asked } = asking(data)
  if (asked.has(userId)) return
  asked.add(userId)
  waiting.add(userId)
  if (waiting.size === 1) data.device.clock.setTimeout(() => void ask(data), gatherMs)
}

async function ask(data: BrandData): Promise<void> {
  const { waiting, asked } = asking(data)
  const wanted = [...waiting].slice(0, peoplePerRequest)
  for (const id of waiting) if (!wanted.includes(id)) asked.delete(id)
  waiting.clear()
  const names = knownFormer(data)
  try {
    const args = { p_brand_id: data.brandId, p_user_ids: wanted }
    const answer = await rpc<{ id: string; name: string }[]>(data.device, data.userId, 'former_members', args)
    if (answer.length > 0) names.set(new Map([...names.get(), ...answer.map(({ id, name }) => [id, name] as const)]))
  } catch (error) {
    for (const id of wanted) asked.delete(id)
    logFault('The names of people who have left did not come.', error)
  }
}
