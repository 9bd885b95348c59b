import { perBrand } from '#web/data/store/per-brand.ts'
import { emitter } from '#web/lib/emitter.ts'

/** Emits when a notification of the user in this brand came or was read, on whichever device, and when the live channel is joined. */
export const notified = perBrand(() => emitter())
