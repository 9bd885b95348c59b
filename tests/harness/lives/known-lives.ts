import type { Life, Step } from './steps.ts'

const ANA = 0
const BO = 1
const EVE = 2

/** A step with what it needs; the rest points at what is there first. */
function step(kind: Step['kind'], who: number, more: Partial<Step> = {}): Step {
  return { kind, who, which: 0, brand: 0, other: 0, role: 'member', flag: false, ...more }
}

const life = (mode: Life['mode'], ...steps: Step[]): Life => ({ theme: 'known', mode, isTeam: false, steps })

const addBo = step('add member', ANA, { other: BO, role: 'admin' })
/** After it bo has two tokens: at place 0 one that proves both factors, at place 1 one that proves the password. */
const enrol = step('enrol factor', BO)
const weakly = { which: 1, flag: true }

/** Lives that leaked once, each as short as it can be. */
export const knownLives: readonly (readonly [name: string, life: Life])[] = [
  [
    'a link for a forgotten password outlives a change of address',
    life('open', step('forget password', ANA), step('change address', ANA, { flag: true }), step('use link', ANA)),
  ],
  [
    'a link for a forgotten password outlives a change of the password',
    life('open', step('forget password', ANA), step('change password', ANA, { flag: true }), step('use link', ANA)),
  ],
  [
    'a link for a forgotten password outlives a new factor',
    life('open', step('forget password', ANA), step('enrol factor', ANA), step('use link', ANA)),
  ],
  [
    'the id of a deleted brand opens its audit log to whoever founds it again',
    life('open', step('delete brand', EVE, { brand: 1 }), step('found brand', BO, { brand: 1 })),
  ],
  ['the audit log shows the sign-ins of somebody who was only added', life('open', addBo, step('sign in', BO))],
  [
    'the list of members shows the new address of somebody who was only added',
    life('open', addBo, step('change address', BO, { flag: true })),
  ],
  ['a password alone leaves every brand, without a filter', life('open', addBo, enrol, step('leave', BO, weakly))],
  ['a password alone takes another name, without a filter', life('open', addBo, enrol, step('rename', BO, weakly))],
  [
    'a password alone leaves a brand that demands a second factor',
    life(
      'open',
      addBo,
      step('enrol factor', ANA),
      step('demand factor', ANA, { flag: true }),
      step('leave', BO, { flag: true }),
    ),
  ],
  [
    'a password alone ends the session with both factors',
    life('open', enrol, step('sign in', BO), step('end other sessions', BO, { which: 2 })),
  ],
  [
    'a password alone ends one session with both factors',
    life('open', enrol, step('sign in', BO), step('end session', BO, { which: 2 })),
  ],
  [
    'an address that nobody has proved takes the invitation of somebody else',
    life('invited', step('invite', ANA, { other: EVE, role: 'owner' }), step('change address', BO, { other: EVE })),
  ],
  [
    'a session changes the address without the password',
    life('open', step('an hour passes', BO), step('change address', BO)),
  ],
]
