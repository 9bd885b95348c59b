import { nextTaskId } from '#web/lib/series.ts'
import { brandLabel } from './brand-actions.ts'
import { type Action, sessionAndBrand, judgeAttempt } from './attempt.ts'
import { isMember } from './world.ts'
import { hasRows } from './api-client.ts'

export const seriesActions = {
  /** Reopens a task if it is done, makes it repeat, and completes it. The server then creates the next task of the series, with the same marker. */
  async 'complete repeated'(world, step) {
    const selection = sessionAndBrand(world, step, ({ records }) =>
      records.some((one) => one.table === 'tasks' && !one.isDeleted),
    )
    if (!selection) return
    const { session, brand } = selection
    const tasks = brand.records.filter(({ table, isDeleted }) => table === 'tasks' && !isDeleted)
    const task = tasks[step.itemIndex % tasks.length]
    if (task === undefined) return
    const { api } = world.site
    const { token } = session
    const path = `tasks?brand_id=eq.${brand.id}&id=eq.${task.id}`
    const isAllowed = isMember(session, brand)
    const repeatBody = { repeats: step.isVariant ? 'daily Europe/London' : 'monthly 31 Asia/Kolkata', status: 'open' }
    const repeatResponse = await api.rest('PATCH', path, { token, body: repeatBody, withRows: true })
    const brandName = brandLabel(world, brand)
    const change = {
      what: `${session.name} lets a task of ${brandName} repeat`,
      isAllowed,
      isDone: hasRows(repeatResponse),
    }
    if (!judgeAttempt(world, step, change)) return
    const doneResponse = await api.rest('PATCH', path, { token, body: { status: 'done' }, withRows: true })
    const sentence = `${session.name} completes a task of ${brandName} that repeats`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: hasRows(doneResponse) })) return
    const nextTask = { ...task, id: nextTaskId(task.id), isDeleted: false }
    const knownNext = brand.records.find(({ id }) => id === nextTask.id)
    if (knownNext) knownNext.isDeleted = false
    else brand.records.push(nextTask)
  },
} satisfies Record<string, Action>
