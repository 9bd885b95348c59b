import { perBrand } from '#web/data/store/per-brand.ts'
import { emitter } from '#web/lib/emitter.ts'

/** Emits when a notification of the user, in any brand, arrives or is read on any device, and when the server begins to send live changes. */
export const notificationsChanged = perBrand(() => emitter())
