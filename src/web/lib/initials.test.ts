import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hueOf, initials, teamHues } from './initials.ts'

test('first and last word give the initials', () => {
  expect(initials('Siân Prosser')).toBe('SP')
  expect(initials('Pieter van der Heijden')).toBe('PH')
  expect(initials('ana')).toBe('A')
  expect(initials('łukasz Żak')).toBe('ŁŻ')
})

test('an unknown name is a question mark', () => {
  for (const name of [null, undefined, '', '  ', '–']) expect(initials(name)).toBe('?')
})

test('a name always has the same hue, without regard to case and outer spaces', () => {
  expect(hueOf('Harbour & Co')).toBe(hueOf(' harbour & co '))
  expect([25, 55, 85, 120, 160, 205, 240, 270, 305, 340]).toContain(hueOf('Tern & Tide'))
  expect(hueOf('Bob Baker')).toBe(hueOf('Ana Hughes'))
})

const teams = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), {
  maxLength: 35,
  selector: (name) => name.trim().toLowerCase(),
})

test('no two members of a team have one hue while there are hues left, and then each hue as often as the others', () => {
  fc.assert(
    fc.property(teams, (names) => {
      const given = [...teamHues(names).values()]
      expect(given).toHaveLength(names.length)
      expect(new Set(given).size).toBe(Math.min(10, names.length))
      const times = given.map((hue) => given.filter((other) => other === hue).length)
      expect(Math.max(0, ...times)).toBe(Math.ceil(names.length / 10))
    }),
  )
})

test('who joins a team changes nobody else; the first has the hue of the name, and others where it is free', () => {
  fc.assert(
    fc.property(teams, (names) => {
      const all = [...teamHues(names)]
      for (let joined = 0; joined <= names.length; joined++)
        expect([...teamHues(names.slice(0, joined))]).toEqual(all.slice(0, joined))
      const free = names.slice(0, 10).filter((name, at) => !all.slice(0, at).some(([, hue]) => hue === hueOf(name)))
      const given = new Map(names.map((name, at) => [name, all[at]?.[1]]))
      for (const name of free) expect(given.get(name)).toBe(hueOf(name))
    }),
  )
})
