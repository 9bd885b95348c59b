import { Avatar } from '#web/ui/avatar.tsx'
import { PersonIcon } from '#web/ui/icons.tsx'
import { EditSelect } from '#web/ui/edit-in-place/edit-select.tsx'
import type { SaveResult } from '#web/ui/edit-in-place/edit-row.tsx'

export interface EditPersonProps {
  label: string
  userId: string | null
  /** The name of the person with the id `userId`. This can also be a former member, who is not in `people`. */
  name: string | null
  people: readonly { userId: string; name: string }[]
  /** The text of the option to choose nobody: 'No owner'. */
  nobody: string
  onSave: (userId: string | null) => SaveResult
}

const nobodyValue = 'nobody'

/** A field whose value is a member of the brand or nobody, edited in place. */
export function EditPerson({ label, userId, name, people, nobody, onSave }: EditPersonProps) {
  const isFormerMember = userId !== null && !people.some((person) => person.userId === userId)
  const listedPeople = isFormerMember ? [...people, { userId, name: name ?? '–' }] : people
  const options = [
    { value: nobodyValue, label: nobody, leading: <Avatar name={null} size={20} /> },
    ...listedPeople.map((person) => ({
      value: person.userId,
      label: person.name,
      leading: <Avatar name={person.name} size={20} />,
    })),
  ]
  return (
    <EditSelect
      label={label}
      icon={<PersonIcon />}
      value={userId ?? nobodyValue}
      options={options}
      onSave={(chosen) => onSave(chosen === nobodyValue ? null : chosen)}
    />
  )
}
