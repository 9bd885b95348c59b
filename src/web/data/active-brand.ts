import type { Role } from './rows.ts'

export interface ActiveBrand {
  id: string
  name: string
  slug: string
  /** My role in it. */
  role: Role
}

/**
 * The brand this tab works in. `lost` is 'removed' when the server said that I am no longer a member: its data is gone from
 * this device; say so, then call `clearActiveBrand()` and go to /select-brand.
 */
export function useActiveBrand(): { ready: boolean; brand: ActiveBrand | null; lost: 'removed' | null } {
  return { ready: false, brand: null, lost: null }
}

/** For router guards: this tab's brand, else the one used last on this device, else null. Local only. */
export function readActiveBrandId(): Promise<string | null> {
  return Promise.resolve(null)
}

/** Makes a brand of mine the active one of this tab and the last one of this device. */
export function chooseBrand(_brandId: string): Promise<void> {
  return Promise.resolve()
}

/** 'Switch Brand': no active brand any more, in this tab and stored. */
export function clearActiveBrand(): Promise<void> {
  return Promise.resolve()
}
