import type { MemberRecords } from '#web/data/people/member-records.ts'
import { usePeople } from '#web/data/people/people.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface SuccessorFieldProps {
  /** The member who leaves or is removed. */
  userId: string
  records: MemberRecords
  /** The successor's user id; null for nobody. */
  to: string | null
  onChange: (to: string | null) => void
  /** Shown if the server does not say which records the member has. */
  unknown: string
}

const nobody = 'nobody'

/** Asks who takes over the records that a member owns and the tasks that are assigned to the member. Renders nothing if there are none. */
export function SuccessorField({ userId, records, to, onChange, unknown }: SuccessorFieldProps) {
  const { members } = usePeople()
  if (records === undefined) return <Skeleton className="mt-4 h-15" />
  if (records === null) return <p className="mt-2 text-ink2">{unknown}</p>
  if (records === '') return null
  const options = [
    ...members
      .filter((member) => member.userId !== userId)
      .map(({ userId: id, name, isMe }) => ({
        value: id,
        label: isMe ? `${name} (you)` : name,
        leading: <Avatar name={name} size={20} />,
      })),
    { value: nobody, label: 'Nobody', leading: <Avatar name={null} size={20} /> },
  ]
  return (
    <Field label={`Who takes over ${records}?`} className="mt-4">
      <Select
        value={to ?? nobody}
        onChange={(chosen) => onChange(chosen === nobody ? null : chosen)}
        options={options}
      />
    </Field>
  )
}
