import { onlineValue } from './online-value.ts'
import { rpc } from '#web/data/server/rpc.ts'

/** What this backend offers beyond the protocol (RPC capabilities). A backend without this RPC offers none of it. */
export interface Capabilities {
  mail: boolean
  invitations: boolean
}

export const capabilities = onlineValue((device, userId) => rpc<Capabilities>(device, userId, 'capabilities', {}))
