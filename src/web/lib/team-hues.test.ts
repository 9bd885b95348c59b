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
      const assignedHues = [...teamHues(names).values()]
      expect(assignedHues).toHaveLength(names.length)
      expect(new Set(assignedHues).size).toBe(Math.min(10, names.length))
      const usesOfHue = assignedHues.map((hue) => assignedHues.filter((other) => other === hue).length)
      expect(Math.max(0, ...usesOfHue)).toBe(Math.ceil(names.length / 10))
    }),
  )
})

test('a new member does not change the hues of others, and each member has the hue of the name if it is free', () => {
  fc.assert(
    fc.property(teams, (names) => {
      const all = [...teamHues(names)]
      for (let joinedCount = 0; joinedCount <= names.length; joinedCount++)
        expect([...teamHues(names.slice(0, joinedCount))]).toEqual(all.slice(0, joinedCount))
      const namesWithOwnHue = names
        .slice(0, 10)
        .filter((name, at) => !all.slice(0, at).some(([, hue]) => hue === hueOf(name)))
      const hueByName = new Map(names.map((name, at) => [name, all[at]?.[1]]))
      for (const name of namesWithOwnHue) expect(hueByName.get(name)).toBe(hueOf(name))
    }),
  )
})
