import { openBrand } from './brand-data.ts'

/** The user whose records 'mine' are, as this tab shows them; null while no brand is open. */
export function myId(): string | null {
  return openBrand.get()?.userId ?? null
}
