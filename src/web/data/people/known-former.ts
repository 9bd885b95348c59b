import { perBrand } from '#web/data/store/per-brand.ts'
import { observable } from '#web/lib/observable.ts'

/** What the server has answered about people who have left, and who was asked about. */
export const knownFormer = perBrand(() => ({
  names: observable<ReadonlyMap<string, string>>(new Map()),
  asked: new Set<string>(),
}))
