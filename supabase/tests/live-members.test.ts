import { expect, it } from 'vitest'
import { openScene } from './people.ts'

it('the delivery of live changes reads the members of the changed brands only', async () => {
  const scene = await openScene()
  try {
    const { rows: all } = await scene.owner.query('select brand_id, user_id from memberships')
    const { rows } = await scene.owner.query('select scope, member from private.live_members($1)', [[scene.acme]])
    expect(new Set(rows.map(({ scope }) => scope))).toEqual(new Set([scene.acme]))
    expect(new Set(rows.map(({ member }) => member))).toEqual(
      new Set(all.flatMap(({ brand_id, user_id }) => (brand_id === scene.acme ? [user_id] : []))),
    )
    expect(all.length).toBeGreaterThan(rows.length)
  } finally {
    await scene.drop()
  }
})
