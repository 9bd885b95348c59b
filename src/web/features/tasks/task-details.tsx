import { useDevice } from '#web/data/browser/device.ts'
import { limits } from '#shared/limits.ts'
import { EditPerson } from '#web/crm/edit-person.tsx'
import { changeAssignee } from '#web/crm/give-to-owner.ts'
import { LinkedRecord } from '#web/crm/linked-record.tsx'
import { contactName } from '#web/data/store/contact-name.ts'
import { useContactSearch } from '#web/data/contact-picker.ts'
import { useDealSearch } from '#web/data/deal-picker.ts'
import { failureOf } from '#web/data/session/outcome.ts'
import { usePeople } from '#web/data/people/people.ts'
import type { Editable } from '#web/data/store/record-tables.ts'
import type { Task } from '#web/data/server/rows.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { useRecord } from '#web/data/query/use-record.ts'
import { cx } from '#web/lib/class-names.ts'
import { daysFromToday, formatDue, formatDueMoment, isOverdue } from '#web/lib/dates.ts'
import { formatMoney } from '#web/lib/money.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Button } from '#web/ui/button.tsx'
import { RoundCheckbox } from '#web/ui/checkbox.tsx'
import { EditDateTime } from '#web/ui/edit-in-place/edit-date.tsx'
import { EditSelect } from '#web/ui/edit-in-place/edit-select.tsx'
import { EditText } from '#web/ui/edit-in-place/edit-text.tsx'
import { PriorityIcon } from '#web/ui/icons.tsx'
import { PanelCard, PanelFields, PanelTitle } from '#web/ui/panel-parts.tsx'
import { postponements, postponeTask, daysUntilTomorrow } from './postpone.ts'
import { priorities } from './priorities.ts'
import { endSeries } from './end-series.ts'
import { neverRepeats, repeatEdit, repeatOptions } from './repeat-options.ts'
import { RepeatMark } from './repeat-sign.tsx'
import { toggleTask } from './toggle-task.ts'

/** The fields of a task, each edited in place, and its contact and deal. */
export function TaskDetails({ task }: { task: Task }) {
  const device = useDevice()
  const now = useNow()
  const people = usePeople()
  const contact = useRecord('contacts', task.contact_id).row
  const deal = useRecord('deals', task.deal_id).row
  const contacts = useContactSearch()
  const deals = useDealSearch()
  const save = (patch: Partial<Editable<'tasks'>>) => failureOf(updateRecord(device, 'tasks', task.id, patch))
  const done = task.status === 'done'
  const overdue = !done && isOverdue(task.due_at, now)
  return (
    <>
      <PanelTitle
        leading={
          <RoundCheckbox
            checked={done}
            onChange={() => void toggleTask(device, task.id, done ? 'open' : 'done')}
            label={done ? `Reopen ${task.title}` : `Complete ${task.title}`}
          />
        }
      >
        <EditText
          bare
          label="Task title"
          value={task.title}
          maxLength={limits.tasks.title}
          check={(text) => (text.trim() ? null : 'Task title is required')}
          onSave={(title) => save({ title })}
          className={cx(
            'text-xl font-semibold [&>span]:whitespace-normal [&>span]:wrap-anywhere',
            done && 'text-ink3 line-through',
          )}
        />
      </PanelTitle>
      {!done && (
        <div className="-mt-2 flex flex-wrap items-center gap-2 max-sm:*:flex-1">
          {postponements(task, now).map((days) => (
            <Button
              key={days}
              onClick={() => void postponeTask(device, task, days)}
              title={formatDue(daysFromToday(days, task.due_at, now), now)}
              aria-label={`Postpone to ${days === daysUntilTomorrow ? 'tomorrow' : 'next week'}`}
            >
              {days === daysUntilTomorrow ? 'Tomorrow' : 'Next week'}
            </Button>
          ))}
        </div>
      )}
      <PanelFields>
        <div className={overdue ? '[&_[data-in-place]]:font-medium [&_[data-in-place]]:text-danger' : undefined}>
          <EditDateTime
            label="Due date"
            value={task.due_at}
            onSave={(due_at) => (due_at || !task.repeats ? save({ due_at }) : endSeries(device, task))}
            display={(moment) => `${formatDueMoment(moment, now)}${overdue ? ' (Overdue)' : ''}`}
          />
        </div>
        <EditSelect
          label="Repeats"
          icon={<RepeatMark />}
          value={task.repeats ?? neverRepeats}
          options={repeatOptions(task)}
          onSave={(repeats) => save(repeatEdit(task, repeats))}
        />
        <EditSelect
          label="Priority"
          icon={<PriorityIcon />}
          value={task.priority}
          options={priorities}
          onSave={(priority) => save({ priority })}
        />
        <EditPerson
          label="Assignee"
          userId={task.assignee_id}
          name={people.byId(task.assignee_id)?.name ?? null}
          people={people.members}
          nobody="Nobody"
          onSave={(assignee_id) => changeAssignee(device, task.id, assignee_id, people.byId(assignee_id)?.name)}
        />
      </PanelFields>
      <PanelCard>
        <LinkedRecord
          kind="contacts"
          id={task.contact_id}
          name={contactName(contact ?? undefined)}
          detail={[contact?.title, contact?.email].filter(Boolean).join(' · ')}
          choices={contacts}
          onSave={(contact_id) => save({ contact_id })}
        />
        <LinkedRecord
          kind="deals"
          id={task.deal_id}
          name={deal?.name ?? null}
          detail={deal && formatMoney(deal.amount, deal.amount_currency)}
          choices={deals}
          onSave={(deal_id) => save({ deal_id })}
        />
      </PanelCard>
    </>
  )
}
