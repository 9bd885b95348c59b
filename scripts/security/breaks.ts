import type { SecurityBreak } from './break.ts'
import { breaksOfAccounts } from './break-accounts.ts'
import { breaksOfAnswers } from './break-answers.ts'
import { breaksOfBrands } from './break-brands.ts'
import { breaksOfInvitationLinks } from './break-invitation-links.ts'
import { breaksOfLive } from './break-live.ts'
import { breaksOfNouns } from './break-nouns.ts'
import { breaksOfServer } from './break-server.ts'
import { breaksOfSync } from './break-sync.ts'

export type { SecurityBreak }

/**
 * Each defence of docs/security.md, section 'Attacks that were tried', removed one at a time by `npm run
 * security:breaks`.
 */
export const securityBreaks: readonly SecurityBreak[] = [
  ...breaksOfServer,
  ...breaksOfAnswers,
  ...breaksOfAccounts,
  ...breaksOfBrands,
  ...breaksOfInvitationLinks,
  ...breaksOfLive,
  ...breaksOfNouns,
  ...breaksOfSync,
]
