import { onlineValue } from './online-value.ts'
import { rpc } from '#web/data/server/rpc.ts'

/** What this backend can do beyond the protocol; a backend that tells nothing can do nothing of it (RPC capabilities). */
export interface Capabilities {
  mail: boolean
  invitations: boolean
}

export const capabilities = onlineValue((device, userId) => rpc<Capabilities>(device, userId, 'capabilities', {}))
