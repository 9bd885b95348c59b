import type { People } from '#web/data/people.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import type { SelectOption } from '#web/ui/select.tsx'

/** Who can have a task: the members, me first, and nobody (''); also who has it now, when they have left. */
export function peopleOptions({ members, byId }: People, present: string | null): SelectOption<string>[] {
  const now = byId(present)
  const people = now && !now.isMember ? [...members, now] : members
  return [
    ...people.map(({ userId, name, isMe }) => ({
      value: userId,
      label: isMe ? `${name} (you)` : name,
      leading: <Avatar name={name} size={20} />,
    })),
    { value: '', label: 'Nobody', leading: <Avatar name={null} size={20} /> },
  ]
}
