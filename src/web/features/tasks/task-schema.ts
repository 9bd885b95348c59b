import * as z from 'zod/mini'
import { chosenRecordSchema } from '#web/crm/chosen-record.ts'
import { repeatsText, possibleRepetitions } from '#web/lib/series.ts'
import { typedMoment, typedProblem } from '#web/lib/typed-date.ts'

const typedTaskSchema = z.object({
  title: z.string().check(z.trim(), z.minLength(1, 'Task title is required')),
  due: z.string(),
  repeats: z.optional(z.enum(['never', 'daily', 'workdays', 'weekly', 'monthly'])),
  priority: z.enum(['low', 'normal', 'high', 'urgent']),
  contact: chosenRecordSchema,
  deal: chosenRecordSchema,
  assignee: z.optional(z.string()),
})

/**
 * Spec section 5: the title is required; the due date is a date and time, or null (a day without a time means the end of this day); contact and deal
 * are null if empty. The default assignee is the signed-in person. A repeating task needs a due date.
 */
export const taskSchema = z.pipe(
  typedTaskSchema,
  z.transform(({ title, due, repeats, priority, contact, deal, assignee }, context) => {
    const isSeries = repeats !== undefined && repeats !== 'never'
    const problem = typedProblem(due, true) ?? (isSeries && !due.trim() ? 'A task that repeats needs a due date' : null)
    if (problem !== null) {
      context.issues.push({ code: 'custom', message: problem, path: ['due'], input: due })
      return z.NEVER
    }
    const due_at = typedMoment(due)
    const way = possibleRepetitions(due_at).find(({ every }) => every === repeats)
    return {
      title,
      due_at,
      repeats: way ? repeatsText(way) : null,
      priority,
      contact_id: contact?.id ?? null,
      deal_id: deal?.id ?? null,
      assignee_id: assignee === undefined ? undefined : assignee || null,
    }
  }),
)

export type TypedTask = z.input<typeof taskSchema>
export type CheckedTask = z.output<typeof taskSchema>

/** Names every field. Otherwise a form in which nothing was typed would count as changed. The default priority is normal (spec section 9). */
export const emptyTask: TypedTask = {
  title: '',
  due: '',
  repeats: 'never',
  priority: 'normal',
  contact: null,
  deal: null,
  assignee: undefined,
}
