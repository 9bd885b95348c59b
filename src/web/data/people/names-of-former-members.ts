import { perBrand } from '#web/data/store/per-brand.ts'
import { observable } from '#web/lib/observable.ts'

/** The names of former members, by user id, as far as the server has returned them. */
export const namesOfFormerMembers = perBrand(() => observable<ReadonlyMap<string, string>>(new Map()))
