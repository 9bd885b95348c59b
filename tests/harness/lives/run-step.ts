import { accountActions } from './account-actions.ts'
import { brandActions } from './brand-actions.ts'
import { fieldActions } from './field-actions.ts'
import { factorActions } from './factor-actions.ts'
import { invitationActions } from './invitation-actions.ts'
import { linkActions } from './link-actions.ts'
import { memberActions } from './member-actions.ts'
import { noteActions } from './note-actions.ts'
import { recordActions } from './record-actions.ts'
import { notificationActions } from './notification-actions.ts'
import { stageActions } from './stage-actions.ts'
import { seriesActions } from './series-actions.ts'
import { tagActions } from './tag-actions.ts'
import type { Action } from './attempt.ts'
import type { Kind, Step } from './steps.ts'
import type { World } from './world.ts'

const actionByKind: Record<Kind, Action> = {
  wait: async () => {},
  ...accountActions,
  ...linkActions,
  ...brandActions,
  ...memberActions,
  ...invitationActions,
  ...factorActions,
  ...recordActions,
  ...noteActions,
  ...stageActions,
  ...fieldActions,
  ...seriesActions,
  ...tagActions,
  ...notificationActions,
}

/** Runs one step, checks its response, and updates the model. Does nothing if nobody can take the step. */
export function runStep(world: World, step: Step): Promise<void> {
  return actionByKind[step.kind](world, step)
}
