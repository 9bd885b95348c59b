import { usePeople } from '#web/data/people.ts'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { peopleOptions } from './people-options.tsx'

interface AssigneeProps {
  /** A member's user id; '' for nobody; undefined: me. */
  value: string | undefined
  onChange: (value: string) => void
}

/** Who is to do a task: me, unless somebody else is chosen. Nothing where I am the brand's only member. */
export function AssigneeField({ value, onChange }: AssigneeProps) {
  const people = usePeople()
  if (people.members.length < 2) return null
  return (
    <Field label="Assignee">
      <Select value={value ?? people.me?.userId ?? ''} onChange={onChange} options={peopleOptions(people, null)} />
    </Field>
  )
}
