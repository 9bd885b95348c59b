import type { Member } from '#web/data/people/members.ts'

interface WhoCanAddProps {
  members: readonly Member[]
  /** The members' names, by user id. */
  names: ReadonlyMap<string, string>
}

/** The maximum number of people named. */
const maxNames = 5

/** Says which colleagues can add people: 'Only owners and admins add members: Anna, Tom'. Shown to a person who cannot add anybody. */
export function WhoCanAdd({ members, names }: WhoCanAddProps) {
  const adderNames = [
    ...members.filter(({ role }) => role === 'owner'),
    ...members.filter(({ role }) => role === 'admin'),
  ].map((member) => names.get(member.user_id) ?? member.email)
  const unnamedCount = adderNames.length - maxNames
  return (
    <p className="rounded-control bg-sunken px-3 py-2.5 text-sm text-pretty wrap-anywhere text-ink2">
      Only owners and admins add members:{' '}
      <span className="font-medium text-ink">{adderNames.slice(0, maxNames).join(', ')}</span>
      {unnamedCount > 0 && ` and ${unnamedCount} more`}
    </p>
  )
}
