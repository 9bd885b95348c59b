import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hueOf } from './initials.ts'
import { teamHues } from './team-hues.ts'

const teams = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), {
  maxLength: 35,
  selector: (name) => name.trim().toLowerCase(),
})

test('no two members of a team have the same hue while there are unused hues; after that all hues are used equally often', () => {
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

test('a new member does not change the hues of others, and each member has the hue of the name if it is free', () => {
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
