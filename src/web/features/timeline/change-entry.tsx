import type { ReactNode } from 'react'
import { RecordLink } from '#web/crm/record-link.tsx'
import { stageToneClass } from '#web/crm/stage-tone.ts'
import { fieldWords } from '#web/data/changes/field-words.ts'
import { useDealStages } from '#web/data/deal-stages.ts'
import { usePeople } from '#web/data/people/people.ts'
import { hasListPage } from '#web/data/store/record-tables.ts'
import type { TimelineChange } from '#web/data/timeline-answer.ts'
import { cx } from '#web/lib/class-names.ts'
import { formatDay } from '#web/lib/dates.ts'
import { formatMoney } from '#web/lib/money.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { TagChange } from './tag-change.tsx'
import { TimeAgo } from './time-ago.tsx'

interface ChangeEntryProps {
  entry: TimelineChange
  /** The id of the record whose timeline shows the entry. */
  aboutId: string
  /** Returns the name of a record; null if it is unknown. */
  nameOf: (id: string) => string | null
}

/** A change of a record as one line: 'Ana moved from Incoming to Won'. */
export function ChangeEntry(props: ChangeEntryProps) {
  const { entry } = props
  const people = usePeople()
  const who = people.byId(entry.by)?.name ?? 'Somebody'
  return (
    <div className="flex min-h-7 items-start gap-2.5 py-1 max-sm:min-h-9">
      <Avatar name={who} size={20} />
      <span className="min-w-0 flex-1 text-ink2 wrap-anywhere">
        <span className="font-medium text-ink">{who}</span> <ChangeText {...props} />
      </span>
      <TimeAgo at={entry.at} />
    </div>
  )
}

function ChangeText({ entry, aboutId, nameOf }: ChangeEntryProps) {
  switch (entry.kind) {
    case 'stage':
      return (
        <>
          moved <OtherRecord table="deals" id={entry.deal_id} {...{ aboutId, nameOf }} after=" " />
          from <StageName id={entry.from} /> to <StageName id={entry.to} />
        </>
      )
    case 'amount':
      return (
        <>
          changed the amount{' '}
          <OtherRecord table="deals" id={entry.deal_id} {...{ aboutId, nameOf }} before="of " after=" " />
          from <Amount amount={entry.from} currency={entry.from_currency} /> to{' '}
          <Amount amount={entry.to} currency={entry.to_currency} />
        </>
      )
    case 'task':
      return (
        <>
          completed{' '}
          <RecordLink table="tasks" id={entry.task_id} className="text-ink hover:underline">
            {entry.title}
          </RecordLink>
        </>
      )
    case 'field':
      return <FieldChange entry={entry} aboutId={aboutId} nameOf={nameOf} />
  }
}

type FieldEntry = Extract<TimelineChange, { kind: 'field' }>

/** The change of a field: 'set the owner to Kim', 'changed the email address of Zoe Marsh from … to …', 'removed the close date 24 Dec'. */
function FieldChange({ entry, aboutId, nameOf }: Omit<ChangeEntryProps, 'entry'> & { entry: FieldEntry }) {
  const { table, record_id, column, from, to } = entry
  const people = usePeople()
  if (column === 'tag_ids')
    return (
      <TagChange
        from={from}
        to={to}
        of={
          <OtherRecord
            table={table}
            id={record_id}
            {...{ aboutId, nameOf }}
            before={to === null ? 'from ' : from === null ? 'to ' : 'of '}
          />
        }
      />
    )
  const fieldName = column === 'expected_close_date' ? 'close date' : fieldWords(column)
  const valueView = (value: string): ReactNode => {
    if (column === 'owner_id') return people.byId(value)?.name ?? 'a former member'
    if (column === 'expected_close_date') return formatDay(value)
    return column.endsWith('_id') ? (nameOf(value) ?? `a deleted ${fieldName}`) : value
  }
  const verb = from === null ? 'set' : to === null ? 'removed' : 'changed'
  return (
    <>
      {verb} the {fieldName}{' '}
      <OtherRecord table={table} id={record_id} {...{ aboutId, nameOf }} before="of " after=" " />
      {from !== null && (
        <>
          {to !== null && 'from '}
          <Value>{valueView(from)}</Value>
        </>
      )}
      {to !== null && (
        <>
          {' to '}
          <Value>{valueView(to)}</Value>
        </>
      )}
    </>
  )
}

interface OtherRecordProps {
  table: string
  id: string
  aboutId: string
  nameOf: (id: string) => string | null
  before?: string
  after?: string
}

/** A link to the changed record, if it is not the record of the timeline. */
function OtherRecord({ table, id, aboutId, nameOf, before = '', after = '' }: OtherRecordProps) {
  if (id === aboutId) return null
  const name = nameOf(id) ?? '?'
  return (
    <>
      {before}
      {hasListPage(table) ? (
        <RecordLink table={table} id={id} className="text-ink hover:underline">
          {name}
        </RecordLink>
      ) : (
        name
      )}
      {after}
    </>
  )
}

function Value({ children }: { children: ReactNode }) {
  return <span className="num text-ink">{children}</span>
}

function StageName({ id }: { id: string }) {
  const { stages } = useDealStages()
  const stage = stages.find((candidate) => candidate.id === id) ?? { name: 'a former stage' }
  return <span className={cx('text-tone', stageToneClass(stage))}>{stage.name}</span>
}

function Amount({ amount, currency }: { amount: number; currency: string }) {
  return <Value>{formatMoney(amount, currency)}</Value>
}
