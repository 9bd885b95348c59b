import type { SecurityBreak } from './break.ts'
import { breaksOfAddresses } from './break-addresses.ts'
import { breaksOfRequestLimits } from './break-request-limits.ts'
import { breaksOfBrands } from './break-brands.ts'
import { breaksOfDatabaseShares } from './break-database-shares.ts'
import { breaksOfInvitationLinks } from './break-invitation-links.ts'
import { breaksOfInvitationMails } from './break-invitation-mails.ts'
import { breaksOfLive } from './break-live.ts'
import { breaksOfMailedLinks } from './break-mailed-links.ts'
import { breaksOfMessages } from './break-messages.ts'
import { breaksOfNouns } from './break-nouns.ts'
import { breaksOfPasswordOnly } from './break-password-only.ts'
import { breaksOfSecondFactor } from './break-second-factor.ts'
import { breaksOfServer } from './break-server.ts'
import { breaksOfSessions } from './break-sessions.ts'
import { breaksOfSignIns } from './break-sign-ins.ts'
import { breaksOfSync } from './break-sync.ts'

export type { SecurityBreak }

/**
 * The breaks of the defences of docs/security.md, section 'Attacks that were tried', and of the sync. `npm run security:breaks` applies
 * them one at a time.
 */
export const securityBreaks: readonly SecurityBreak[] = [
  ...breaksOfServer,
  ...breaksOfRequestLimits,
  ...breaksOfSignIns,
  ...breaksOfMessages,
  ...breaksOfSecondFactor,
  ...breaksOfSessions,
  ...breaksOfAddresses,
  ...breaksOfMailedLinks,
  ...breaksOfInvitationMails,
  ...breaksOfPasswordOnly,
  ...breaksOfBrands,
  ...breaksOfInvitationLinks,
  ...breaksOfLive,
  ...breaksOfDatabaseShares,
  ...breaksOfNouns,
  ...breaksOfSync,
]
