import type { Life, Step } from './steps.ts'

const anaIndex = 0
const boIndex = 1
const eveIndex = 2

/** Creates a step. Indexes that are not given are 0. */
function step(kind: Step['kind'], who: number, more: Partial<Step> = {}): Step {
  return { kind, who, itemIndex: 0, brand: 0, affectedIndex: 0, role: 'member', isVariant: false, ...more }
}

const lifeOf = (mode: Life['mode'], ...steps: Step[]): Life => ({ theme: 'known', mode, isTeam: false, steps })

const addBo = step('add member', anaIndex, { affectedIndex: boIndex, role: 'admin' })
/** After this step bo has two tokens: index 0 with both factors, index 1 with only the password. */
const enrolBo = step('enrol factor', boIndex)
const withPasswordOnly = { itemIndex: 1, isVariant: true }

/** Lives that once had a forbidden effect or reading, each as short as possible. The name says what went wrong. */
export const knownLives: readonly (readonly [name: string, life: Life])[] = [
  [
    'a link for a forgotten password still works after a change of the e-mail address',
    lifeOf(
      'open',
      step('forget password', anaIndex),
      step('change address', anaIndex, { isVariant: true }),
      step('use link', anaIndex),
    ),
  ],
  [
    'a link for a forgotten password still works after a change of the password',
    lifeOf(
      'open',
      step('forget password', anaIndex),
      step('change password', anaIndex, { isVariant: true }),
      step('use link', anaIndex),
    ),
  ],
  [
    'a link for a forgotten password still works after a second factor was added',
    lifeOf('open', step('forget password', anaIndex), step('enrol factor', anaIndex), step('use link', anaIndex)),
  ],
  [
    'a person who creates a brand with the id of a deleted brand reads the audit log of the deleted brand',
    lifeOf('open', step('delete brand', eveIndex, { brand: 1 }), step('create brand', boIndex, { brand: 1 })),
  ],
  [
    'the audit log shows the sign-ins of a member who has not opened the brand',
    lifeOf('open', addBo, step('sign in', boIndex)),
  ],
  [
    'the list of members shows the new e-mail address of a member who has not opened the brand',
    lifeOf('open', addBo, step('change address', boIndex, { isVariant: true })),
  ],
  [
    'a session without its second factor leaves every brand by a request without a filter',
    lifeOf('open', addBo, enrolBo, step('leave', boIndex, withPasswordOnly)),
  ],
  [
    'a session without its second factor changes its display name by a request without a filter',
    lifeOf('open', addBo, enrolBo, step('rename', boIndex, withPasswordOnly)),
  ],
  [
    'a session without a second factor leaves a brand that requires one',
    lifeOf(
      'open',
      addBo,
      step('enrol factor', anaIndex),
      step('require factor', anaIndex, { isVariant: true }),
      step('leave', boIndex, { isVariant: true }),
    ),
  ],
  [
    'a session without its second factor ends all other sessions, also one with both factors',
    lifeOf('open', enrolBo, step('sign in', boIndex), step('end other sessions', boIndex, { itemIndex: 2 })),
  ],
  [
    'a session without its second factor ends a session with both factors',
    lifeOf('open', enrolBo, step('sign in', boIndex), step('end session', boIndex, { itemIndex: 2 })),
  ],
  [
    'an account with an unconfirmed e-mail address accepts the invitation of another person',
    lifeOf(
      'invited',
      step('invite', anaIndex, { affectedIndex: eveIndex, role: 'owner' }),
      step('change address', boIndex, { affectedIndex: eveIndex }),
    ),
  ],
  [
    'a session changes the e-mail address an hour after the sign-in, without the password',
    lifeOf('open', step('an hour passes', boIndex), step('change address', boIndex)),
  ],
]
