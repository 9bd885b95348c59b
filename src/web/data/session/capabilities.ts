import { onlineValue } from './online-value.ts'
import { rpc } from '#web/data/server/rpc.ts'

/** What this backend offers beyond the protocol (RPC capabilities). A backend without this RPC offers none of it. */
export interface Capabilities {
  mail: boolean
  /** Invitations by mail. */
  invitations: boolean
  /** Invitations by a link that the inviter hands over. A server before them does not say it. */
  invitation_links?: boolean
  /** A calendar feed of one's tasks. */
  calendar?: boolean
}

export const capabilities = onlineValue((device, userId) => rpc<Capabilities>(device, userId, 'capabilities', {}))
