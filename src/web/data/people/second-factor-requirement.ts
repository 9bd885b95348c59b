import type { Device } from '#web/data/browser/device.ts'
import { activeBrandState } from './active-brand.ts'
import { askServer } from '#web/data/server/ask-server.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import { onlineValue } from '#web/data/session/online-value.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { RpcError, rpc } from '#web/data/server/rpc.ts'

/** A brand that is closed to this session until it proves a second factor. */
export interface ClosedBrand {
  id: string
  name: string
  /** True if the user has a factor and only needs to enter its code. */
  has_factor: boolean
}

/** Whether the active brand requires a second factor from its members. */
export const secondFactorRequirement = onlineValue<boolean>(async (device) => {
  const brandId = activeBrandState(device).get().brandId ?? ''
  const { data, error, status } = await askServer(device, (server) =>
    server.from('brands').select('requires_second_factor').eq('id', brandId),
  )
  if (error) throw new RpcError(error.message, status, error.code || null)
  return data[0]?.requires_second_factor === true
}, activeBrandState)

/**
 * Sets whether the active brand requires a second factor. Owners only. Refusals: NOT_AUTHORIZED; SECOND_FACTOR_REQUIRED if this session has not
 * proved a second factor.
 */
export async function requireSecondFactor(device: Device, isRequired: boolean): Promise<Outcome> {
  const brandId = activeBrandState(device).get().brandId ?? ''
  const args = { p_brand_id: brandId, p_required: isRequired }
  const outcome = await changeOnline(device, brandId, (server) => server.rpc('require_second_factor', args), 'call')
  await secondFactorRequirement(device).reload()
  return outcome
}

/** The user's brands that are closed to this session until it proves a second factor. */
export const closedBrands = onlineValue((device, userId) =>
  rpc<ClosedBrand[]>(device, userId, 'brands_behind_second_factor', {}),
)
