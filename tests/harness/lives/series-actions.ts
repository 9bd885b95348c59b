import { nextTaskId } from '#web/lib/series.ts'
import { brandLabel } from './brand-actions.ts'
import { type Action, sessionAndBrand, judgeAttempt } from './attempt.ts'
import { isMember } from './world.ts'
import { hasChanged } from './wire.ts'

export const seriesActions = {
  /** Reopens a task if it is done, makes it repeat, and completes it. The server then creates the next task of the series, with the same marker. */
  async 'complete repeated'(world, step) {
    const found = sessionAndBrand(world, step, ({ records }) =>
      records.some((one) => one.table === 'tasks' && !one.isDeleted),
    )
    if (!found) return
    const { session, brand } = found
    const tasks = brand.records.filter(({ table, isDeleted }) => table === 'tasks' && !isDeleted)
    const task = tasks[step.which % tasks.length]
    if (task === undefined) return
    const { api } = world.site
    const { token } = session
    const path = `tasks?brand_id=eq.${brand.id}&id=eq.${task.id}`
    const isAllowed = isMember(session, brand)
    const repeats = { repeats: step.flag ? 'daily Europe/London' : 'monthly 31 Asia/Kolkata', status: 'open' }
    const set = await api.rest('PATCH', path, { token, body: repeats, withRows: true })
    const place = brandLabel(world, brand)
    const change = { what: `${session.name} lets a task of ${place} repeat`, isAllowed, isDone: hasChanged(set) }
    if (!judgeAttempt(world, step, change)) return
    const done = await api.rest('PATCH', path, { token, body: { status: 'done' }, withRows: true })
    const what = `${session.name} completes a task of ${place} that repeats`
    if (!judgeAttempt(world, step, { what, isAllowed, isDone: hasChanged(done) })) return
    const next = { ...task, id: nextTaskId(task.id), isDeleted: false }
    const known = brand.records.find(({ id }) => id === next.id)
    if (known) known.isDeleted = false
    else brand.records.push(next)
  },
} satisfies Record<string, Action>
