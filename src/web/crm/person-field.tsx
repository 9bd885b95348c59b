import { Avatar } from '#web/ui/avatar.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'

interface PersonFieldProps {
  label: string
  /** For nobody: 'No owner'. */
  nobody: string
  /** The brand's members, me first. */
  members: readonly { userId: string; name: string; isMe: boolean }[]
  /** A member's user id; '' for nobody; undefined: me. */
  value: string | undefined
  onChange: (value: string) => void
}

/** Whose a record is to be: mine, unless somebody else is chosen. Nothing where I am the brand's only member. */
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
