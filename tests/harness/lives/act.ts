import { accountActs } from './act-accounts.ts'
import { brandActs } from './act-brands.ts'
import { fieldActs } from './act-fields.ts'
import { factorActs } from './act-factors.ts'
import { invitationActs } from './act-invitations.ts'
import { linkActs } from './act-links.ts'
import { memberActs } from './act-members.ts'
import { noteActs } from './act-notes.ts'
import { recordActs } from './act-records.ts'
import { notificationActs } from './act-notifications.ts'
import { stageActs } from './act-stages.ts'
import { seriesActs } from './act-series.ts'
import { tagActs } from './act-tags.ts'
import type { Act } from './attempt.ts'
import type { Kind, Step } from './steps.ts'
import type { World } from './world.ts'

const actByKind: Record<Kind, Act> = {
  wait: async () => {},
  ...accountActs,
  ...linkActs,
  ...brandActs,
  ...memberActs,
  ...invitationActs,
  ...factorActs,
  ...recordActs,
  ...noteActs,
  ...stageActs,
  ...fieldActs,
  ...seriesActs,
  ...tagActs,
  ...notificationActs,
}

/** Runs one step, checks its answer, and updates the model. A step that nobody can take does nothing. */
export function act(world: World, step: Step): Promise<void> {
  return actByKind[step.kind](world, step)
}
