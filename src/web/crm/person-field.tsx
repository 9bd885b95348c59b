import { Avatar } from '#web/ui/avatar.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'

interface PersonFieldProps {
  label: string
  /** The text of the option to choose nobody: 'No owner'. */
  nobody: string
  /** The members of the brand, the signed-in person first. */
  members: readonly { userId: string; name: string; isMe: boolean }[]
  /** The user id of the chosen member. '' if nobody is chosen; undefined for the signed-in person. */
  value: string | undefined
  onChange: (value: string) => void
}

/** A form field for the owner of a new record. The default is the signed-in person. Not shown if the brand has only one member. */
export function PersonField({ label, nobody, members, value, onChange }: PersonFieldProps) {
  if (members.length < 2) return null
  const me = members.find(({ isMe }) => isMe)?.userId ?? ''
  const options = [
    ...members.map(({ userId, name, isMe }) => ({
      value: userId,
      label: isMe ? `${name} (you)` : name,
      leading: <Avatar name={name} size={20} />,
    })),
    { value: '', label: nobody, leading: <Avatar name={null} size={20} /> },
  ]
  return (
    <Field label={label}>
      <Select value={value ?? me} onChange={onChange} options={options} />
    </Field>
  )
}
