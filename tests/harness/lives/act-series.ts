import { nextTaskId } from '#web/lib/series.ts'
import { placeOf } from './act-brands.ts'
import { type Act, inBrand, judge } from './attempt.ts'
import { isMember } from './world.ts'
import { hasChanged } from './wire.ts'

export const seriesActs = {
  /** Reopens a task if it is done, makes it repeat and completes it. The next task of the series exists then, with the same marker. */
  async 'complete repeated'(world, step) {
    const found = inBrand(world, step, ({ records }) => records.some((one) => one.table === 'tasks' && !one.isDeleted))
    if (!found) return
    const { session, brand } = found
    const tasks = brand.records.filter(({ table, isDeleted }) => table === 'tasks' && !isDeleted)
    const task = tasks[step.which % tasks.length]
    if (task === undefined) return
    const { wire } = world.site
    const { token } = session
    const path = `tasks?brand_id=eq.${brand.id}&id=eq.${task.id}`
    const isAllowed = isMember(session, brand)
    const repeats = { repeats: step.flag ? 'daily Europe/London' : 'monthly 31 Asia/Kolkata', status: 'open' }
    const set = await wire.rest('PATCH', path, { token, body: repeats, withRows: true })
    const place = placeOf(world, brand)
    const change = { what: `${session.name} lets a task of ${place} repeat`, isAllowed, isDone: hasChanged(set) }
    if (!judge(world, step, change)) return
    const done = await wire.rest('PATCH', path, { token, body: { status: 'done' }, withRows: true })
    const what = `${session.name} completes a task of ${place} that repeats`
    if (!judge(world, step, { what, isAllowed, isDone: hasChanged(done) })) return
    const next = { ...task, id: nextTaskId(task.id), isDeleted: false }
    const known = brand.records.find(({ id }) => id === next.id)
    if (known) known.isDeleted = false
    else brand.records.push(next)
  },
} satisfies Record<string, Act>
