import type { Life, Step } from './steps.ts'

const anaIndex = 0
const boIndex = 1
const eveIndex = 2

/** Creates a step. Indexes that are not given are 0. */
function step(kind: Step['kind'], who: number, more: Partial<Step> = {}): Step {
  return { kind, who, which: 0, brand: 0, other: 0, role: 'member', flag: false, ...more }
}

const life = (mode: Life['mode'], ...steps: Step[]): Life => ({ theme: 'known', mode, isTeam: false, steps })

const addBo = step('add member', anaIndex, { other: boIndex, role: 'admin' })
/** After this step bo has two tokens: index 0 with both factors, index 1 with only the password. */
const enrol = step('enrol factor', boIndex)
const withPasswordOnly = { which: 1, flag: true }

/** Lives that have leaked data in the past, each as short as possible. */
export const knownLives: readonly (readonly [name: string, life: Life])[] = [
  [
    'a link for a forgotten password outlives a change of address',
    life(
      'open',
      step('forget password', anaIndex),
      step('change address', anaIndex, { flag: true }),
      step('use link', anaIndex),
    ),
  ],
  [
    'a link for a forgotten password outlives a change of the password',
    life(
      'open',
      step('forget password', anaIndex),
      step('change password', anaIndex, { flag: true }),
      step('use link', anaIndex),
    ),
  ],
  [
    'a link for a forgotten password outlives a new factor',
    life('open', step('forget password', anaIndex), step('enrol factor', anaIndex), step('use link', anaIndex)),
  ],
  [
    'the id of a deleted brand opens its audit log to a person who creates a brand with that id',
    life('open', step('delete brand', eveIndex, { brand: 1 }), step('create brand', boIndex, { brand: 1 })),
  ],
  ['the audit log shows the sign-ins of somebody who was only added', life('open', addBo, step('sign in', boIndex))],
  [
    'the list of members shows the new address of somebody who was only added',
    life('open', addBo, step('change address', boIndex, { flag: true })),
  ],
  [
    'a password alone leaves every brand, without a filter',
    life('open', addBo, enrol, step('leave', boIndex, withPasswordOnly)),
  ],
  [
    'a password alone takes another name, without a filter',
    life('open', addBo, enrol, step('rename', boIndex, withPasswordOnly)),
  ],
  [
    'a password alone leaves a brand that requires a second factor',
    life(
      'open',
      addBo,
      step('enrol factor', anaIndex),
      step('require factor', anaIndex, { flag: true }),
      step('leave', boIndex, { flag: true }),
    ),
  ],
  [
    'a password alone ends the session with both factors',
    life('open', enrol, step('sign in', boIndex), step('end other sessions', boIndex, { which: 2 })),
  ],
  [
    'a password alone ends one session with both factors',
    life('open', enrol, step('sign in', boIndex), step('end session', boIndex, { which: 2 })),
  ],
  [
    'an address that nobody has proved takes the invitation of somebody else',
    life(
      'invited',
      step('invite', anaIndex, { other: eveIndex, role: 'owner' }),
      step('change address', boIndex, { other: eveIndex }),
    ),
  ],
  [
    'a session changes the address without the password',
    life('open', step('an hour passes', boIndex), step('change address', boIndex)),
  ],
]
