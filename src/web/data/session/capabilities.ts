import { onlineValue } from './online-value.ts'
import { rpc } from '#web/data/server/rpc.ts'

/** The features of this backend beyond the protocol (RPC capabilities). A backend without this RPC has none of them. */
export interface Capabilities {
  /** True if the operator has configured a mail server, so that people receive emails. */
  mail: boolean
  /** Invitations by email. */
  invitations: boolean
  /** Invitations by a link that the inviter passes on. Missing on earlier servers. */
  invitation_links?: boolean
  /** A calendar feed of the user's tasks. */
  calendar?: boolean
}

export const capabilities = onlineValue((device, userId) => rpc<Capabilities>(device, userId, 'capabilities', {}))
