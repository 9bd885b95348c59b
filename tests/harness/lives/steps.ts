import fc from 'fast-check'
import type { Mode } from './site.ts'

/** The kinds of steps of a life (a random sequence of user actions). */
export const stepKinds = [
  'wait',
  'sign in',
  'sign out',
  'sign up',
  'an hour passes',
  'change address',
  'change password',
  'forget password',
  'use link',
  'create brand',
  'delete brand',
  'open brand',
  'require factor',
  'add member',
  'remove member',
  'leave',
  'change role',
  'hand over',
  'rename',
  'invite',
  'withdraw invitation',
  'accept invitations',
  'enrol factor',
  'prove factor',
  'remove factor',
  'end session',
  'end other sessions',
  'create record',
  'delete record',
  'restore record',
  'complete repeated',
  'write note',
  'change note',
  'delete note',
  'write pipeline',
  'define field',
  'fill field',
  'make tag',
  'tag record',
  'delete tag',
  'assign and mention',
  'end import',
] as const
export type Kind = (typeof stepKinds)[number]

/** One step as plain data. Each number is the index of a person, session, brand or other thing, modulo the number of such things. */
export interface Step {
  kind: Kind
  /** The acting person: an index of `peopleNames`. */
  who: number
  /** Index of the thing that the step uses, such as a session, an account, a link, a record or a note. */
  itemIndex: number
  brand: number
  /** Index of the affected account. Some kinds of steps use it as the index of an e-mail address, a session or a scope. */
  affectedIndex: number
  role: 'member' | 'admin' | 'owner'
  /** Selects a variant of the step: for example with the old password, or without it. */
  isVariant: boolean
}

/** A sequence of steps on a server of this mode. */
export interface Life {
  theme: string
  mode: Mode
  /** True if bo is an admin of brand 1 from the start, and has opened it. */
  isTeam: boolean
  steps: Step[]
}

interface Theme {
  name: string
  modes: readonly Mode[]
  /** Relative frequency of kinds. Kinds that are not listed do not occur, except 'wait', which occurs in every theme. */
  weights: Partial<Record<Kind, number>>
}

/** Each life has a theme, so that related steps occur together. */
const themes: readonly Theme[] = [
  {
    name: 'accounts',
    modes: ['open', 'mailed'],
    weights: {
      'forget password': 5,
      'use link': 8,
      'change address': 5,
      'change password': 2,
      'sign in': 3,
      'sign out': 2,
      'an hour passes': 3,
      'enrol factor': 1,
      'sign up': 1,
      'add member': 2,
      'open brand': 2,
    },
  },
  {
    name: 'brands',
    modes: ['open'],
    weights: {
      'create brand': 6,
      'delete brand': 6,
      'create record': 4,
      'delete record': 1,
      'restore record': 1,
      'add member': 4,
      'remove member': 2,
      leave: 3,
      'sign in': 1,
      'change role': 1,
      'hand over': 2,
      rename: 1,
    },
  },
  {
    name: 'records',
    modes: ['open'],
    weights: {
      'create record': 6,
      'define field': 3,
      'fill field': 4,
      'delete record': 4,
      'write pipeline': 2,
      'restore record': 4,
      'complete repeated': 4,
      'write note': 6,
      'change note': 4,
      'delete note': 3,
      'make tag': 5,
      'tag record': 5,
      'delete tag': 2,
      'assign and mention': 5,
      'end import': 3,
      'add member': 2,
      'open brand': 2,
      'remove member': 2,
      'change role': 2,
      leave: 1,
      'enrol factor': 1,
      'require factor': 1,
      'sign in': 1,
      'delete brand': 1,
    },
  },
  {
    // Most of these steps need the effect of an earlier step. In a theme with many other kinds of steps, they seldom have an effect.
    name: 'notes and fields',
    modes: ['open'],
    weights: {
      'create record': 6,
      'write note': 6,
      'change note': 5,
      'delete note': 5,
      'define field': 5,
      'fill field': 7,
      'make tag': 3,
      'tag record': 4,
      'delete record': 2,
      'restore record': 4,
      'add member': 1,
      'open brand': 1,
      'change role': 1,
    },
  },
  {
    name: 'members',
    modes: ['open', 'mailed'],
    weights: {
      'add member': 8,
      'remove member': 4,
      leave: 3,
      'open brand': 5,
      'sign in': 4,
      'sign out': 1,
      'change address': 4,
      'use link': 3,
      'change role': 3,
      'hand over': 2,
      rename: 2,
      'create record': 2,
      'an hour passes': 1,
    },
  },
  {
    name: 'invitations',
    modes: ['invited', 'mailed'],
    weights: {
      invite: 8,
      'withdraw invitation': 2,
      'use link': 7,
      'accept invitations': 4,
      'change address': 6,
      'sign up': 3,
      'sign in': 2,
      'remove member': 2,
      leave: 2,
      'change role': 2,
      'add member': 2,
      'delete brand': 1,
      'an hour passes': 2,
    },
  },
  {
    name: 'factors',
    modes: ['open'],
    weights: {
      'enrol factor': 6,
      'prove factor': 4,
      'remove factor': 2,
      'require factor': 4,
      'sign in': 7,
      leave: 5,
      rename: 5,
      'end session': 4,
      'end other sessions': 4,
      'add member': 4,
      'create record': 3,
      'remove member': 2,
      'change address': 2,
      'change password': 1,
      'forget password': 1,
      'use link': 2,
      'change role': 2,
      'delete brand': 1,
    },
  },
  {
    name: 'everything',
    modes: ['open', 'invited', 'mailed'],
    weights: Object.fromEntries(stepKinds.map((kind) => [kind, 1])),
  },
]

/** Generates lives of 3 to 12 steps. They shrink towards steps without an effect. `theme`: generates only lives of this theme. */
export function anyLife(theme?: string): fc.Arbitrary<Life> {
  const selectedThemes = themes.filter(({ name }) => theme === undefined || name === theme)
  if (selectedThemes.length === 0)
    throw new Error(`There is no theme ${theme}. Choose one of ${themes.map(({ name }) => name).join(', ')}.`)
  return fc.oneof(
    ...selectedThemes.map(({ name, modes, weights }) =>
      fc.record({
        theme: fc.constant(name),
        mode: fc.constantFrom(...modes),
        isTeam: fc.boolean(),
        // Switches off fast-check's bias towards short lists, in which little happens.
        steps: fc.noBias(fc.array(anyStep(weights), { minLength: 3, maxLength: 12, size: 'max' })),
      }),
    ),
  )
}

function anyStep(weights: Theme['weights']): fc.Arbitrary<Step> {
  const kinds = stepKinds.filter((kind) => (weights[kind] ?? 0) > 0 && kind !== 'wait')
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 1, arbitrary: stepOf('wait') },
    ...kinds.map((kind) => ({ weight: 10 * (weights[kind] ?? 0), arbitrary: stepOf(kind) })),
  )
}

function stepOf(kind: Kind): fc.Arbitrary<Step> {
  return fc.record({
    kind: fc.constant(kind),
    // Chooses ana and brand 1 more often than the others, so that steps affect each other.
    who: fc.constantFrom(0, 0, 0, 1, 2),
    itemIndex: fc.constantFrom(0, 0, 1, 2),
    brand: fc.constantFrom(0, 0, 1, 2),
    affectedIndex: fc.constantFrom(1, 1, 0, 2, 3),
    role: fc.constantFrom('member', 'admin', 'owner'),
    isVariant: fc.boolean(),
  })
}
