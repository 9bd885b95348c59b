import { useDevice } from '#web/data/browser/device.ts'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type Control, Controller, useForm, useWatch } from 'react-hook-form'
import { limits } from '#shared/limits.ts'
import { PersonField } from '#web/crm/person-field.tsx'
import { RecordPicker } from '#web/crm/record-picker.tsx'
import { useCompanyContactsFirst, useCompanyDealsFirst } from '#web/data/company-choices.ts'
import { useContactSearch } from '#web/data/contact-picker.ts'
import { beginUndoable } from '#web/crm/undo-action.ts'
import { SubmitKeys } from '#web/crm/submit-keys.tsx'
import { draftName, useDraft } from '#web/crm/use-draft.ts'
import type { Correction } from '#web/data/changes/correction.ts'
import { useDealSearch } from '#web/data/deal-picker.ts'
import { usePeople } from '#web/data/people/people.ts'
import { creationOutcome } from '#web/data/changes/refusal-words.ts'
import { createTask } from '#web/data/tasks.ts'
import type { Choice } from '#web/lib/choice.ts'
import { firstDue, repeatsWords, possibleRepetitions } from '#web/lib/series.ts'
import { typedMoment, typedProblem, typedTextOf } from '#web/lib/typed-date.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { DateField } from '#web/ui/date-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field, FieldNeed } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.ts'
import { priorities } from './priorities.ts'
import { neverRepeats } from './repeat-options.ts'
import { type CheckedTask, taskSchema, type TypedTask } from './task-schema.ts'
import { useTypedTask } from './typed-task.ts'

export interface NewTaskProps {
  open: boolean
  onClose: () => void
  /** The initial contact and deal. */
  preset?: Partial<Pick<TypedTask, 'contact' | 'deal'>>
  /** The company from whose panel the form was opened. Its contacts and deals are offered first. */
  company?: Choice
  /** A refused task to correct: the form starts with its values, and the new task replaces it. */
  correction?: Correction<'tasks'> | null
}

/**
 * The dialog with the form for a new task. The dialog closes after the task is created (or only saved on this device), and is empty the next
 * time. After a refusal it keeps its input.
 */
export function NewTaskForm({ open, onClose, preset, company, correction = null }: NewTaskProps) {
  const device = useDevice()
  const initialValues = { ...useTypedTask(correction), ...preset }
  const form = useForm<TypedTask, unknown, CheckedTask>({
    resolver: standardSchemaResolver(taskSchema),
    defaultValues: initialValues,
  })
  const { control, register, reset, formState, handleSubmit, setValue } = form
  const draft = correction ? null : draftName('tasks', { ...preset, ...(company && { company }) })
  const newRowId = useDraft(form, draft, initialValues)
  const { members } = usePeople()
  const pending = formState.isSubmitting

  async function create(task: CheckedTask) {
    const { run, options } = beginUndoable(device)
    const created = await run(() => createTask(device, task, correction?.rowId ?? newRowId()))
    const outcome = creationOutcome(created, 'tasks', { ...task, assignee_id: null })
    if (outcome.status === 'refused') {
      toast.error('Error creating task', { description: outcome.message })
      return
    }
    if (outcome.status === 'saved') toast.success('Task created', options)
    else toast.success('Saved on this device', { description: task.title, ...options })
    onClose()
    reset()
  }
  const submit = useOnce(handleSubmit(create))

  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={submit}
      pending={pending}
      keepsDraft={formState.isDirty && !correction}
      title="New Task"
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" pending={pending} keys={<SubmitKeys />}>
            Create Task
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-2 gap-x-4 gap-y-5 max-sm:grid-cols-1">
        <Field
          label="Task title"
          aside={<FieldNeed />}
          error={formState.errors.title?.message}
          className="col-span-full"
        >
          <Input
            {...register('title')}
            data-autofocus
            aria-required
            autoComplete="off"
            enterKeyHint="done"
            maxLength={limits.tasks.title}
          />
        </Field>
        <DateField control={control} name="due" label="Due date" withTime />
        <RepeatsField
          control={control}
          setDue={(due) => setValue('due', due, { shouldDirty: true, shouldValidate: true })}
        />
        <LinkFields control={control} company={company ?? null} />
        <Field label="Priority">
          <Controller
            control={control}
            name="priority"
            render={({ field }) => <Select value={field.value} onChange={field.onChange} options={priorities} />}
          />
        </Field>
        <Controller
          control={control}
          name="assignee"
          render={({ field: { value, onChange } }) => (
            <PersonField label="Assignee" nobody="Nobody" members={members} value={value} onChange={onChange} />
          )}
        />
      </div>
    </Dialog>
  )
}

/**
 * Chooses whether the task repeats: weekly and monthly repetitions are on the due day. If no due day is typed, the choice sets the due day
 * to the first day of the series.
 */
function RepeatsField({
  control,
  setDue,
}: {
  control: Control<TypedTask, unknown, CheckedTask>
  setDue: (due: string) => void
}) {
  const due = useWatch({ control, name: 'due' })
  const repetitions = possibleRepetitions(typedProblem(due, true) === null ? typedMoment(due) : null)
  const options = repetitions.map((repetition) => ({ value: repetition.every, label: repeatsWords(repetition, true) }))
  return (
    <Field label="Repeats">
      <Controller
        control={control}
        name="repeats"
        render={({ field: { value = neverRepeats, onChange } }) => (
          <Select
            value={value}
            onChange={(chosen) => {
              onChange(chosen)
              const repetition = repetitions.find(({ every }) => every === chosen)
              if (repetition && !due.trim()) setDue(typedTextOf(firstDue(repetition)))
            }}
            options={[{ value: neverRepeats, label: 'Never' }, ...options]}
          />
        )}
      />
    </Field>
  )
}

/** The contact and deal of the task. A separate component, so that nothing is searched while the dialog is closed. */
function LinkFields({
  control,
  company,
}: {
  control: Control<TypedTask, unknown, CheckedTask>
  company: Choice | null
}) {
  const contacts = useCompanyContactsFirst(company?.id ?? null, useContactSearch())
  const deals = useCompanyDealsFirst(company?.id ?? null, useDealSearch())
  const [contact, deal] = useWatch({ control, name: ['contact', 'deal'] })
  // A task has no company itself. It belongs to the company of its contact or deal.
  const hint = company && !contact && !deal ? `A contact or deal of ${company.label} shows the task there` : null
  return (
    <>
      <RecordPicker control={control} name="contact" kind="contacts" choices={contacts} hint={hint} />
      <RecordPicker control={control} name="deal" kind="deals" choices={deals} />
    </>
  )
}
