import { activeBrandState, chooseBrand, clearActiveBrand } from '#web/data/people/active-brand.ts'
import { loadMemberships } from '#web/data/people/brands.ts'
import { query } from '../query.ts'
import type { SimDevice } from './sim-device.ts'
import type { Marks } from './sim-marks.ts'
import type { SimWorld } from './sim-world.ts'

/** Bo's membership in the brand of one life: Ana removes Bo and adds Bo again. */
export class SimMembership {
  isMember = true
  /** True after the first removal. From then on nobody checks whether Bo's unsent edits arrive, because a removal drops them. */
  wasRemoved = false

  constructor(
    private readonly world: SimWorld,
    private readonly brandId: string,
    private readonly devices: readonly SimDevice[],
  ) {}

  /** Removes Bo, or adds Bo again with the same role. */
  async change(): Promise<void> {
    if (this.isMember) await this.removeBo()
    else await this.addBo()
  }

  /** Adds Bo again if Bo is not a member. */
  async restore(): Promise<void> {
    if (!this.isMember) await this.addBo()
  }

  /** Opens the brand on Bo's device if the device has noticed the removal and Bo is a member again, as Bo does on /select-brand. */
  async reopenBrand(): Promise<void> {
    if (!this.wasRemoved) return
    for (const { device, person } of this.devices) {
      if (person !== this.world.bo) continue
      if (activeBrandState(device).get().lost) await clearActiveBrand(device)
      const { ready, brandId } = activeBrandState(device).get()
      if (!this.isMember || !ready || brandId !== null) continue
      void loadMemberships(device)
      await chooseBrand(device, this.brandId)
    }
  }

  /** Ends the checks that a removal makes invalid. Call it at the end of a life. */
  forgiveLostEdits(marks: Marks): void {
    if (!this.wasRemoved) return
    marks.giveUpAllOf(this.world.bo.id)
    for (const { person, watch } of this.devices) if (person === this.world.bo) watch.forgiveVanished()
  }

  private async removeBo(): Promise<void> {
    const { ana, bo } = this.world
    const { error } = await ana.client.from('memberships').delete().eq('brand_id', this.brandId).eq('user_id', bo.id)
    if (error) throw new Error(error.message)
    this.isMember = false
    this.wasRemoved = true
  }

  private async addBo(): Promise<void> {
    await query(
      this.world.server,
      `insert into public.memberships (brand_id, user_id, role, display_name, opened_at) values ($1, $2, 'member', 'Bo', now())`,
      this.brandId,
      this.world.bo.id,
    )
    this.isMember = true
  }
}
