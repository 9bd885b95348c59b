import { usePresentPeople } from '#web/data/people/present-people.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Tooltip } from '#web/ui/tooltip.tsx'

/** The maximum number of avatars. The rest is shown as a number. */
const maxAvatars = 4

/** A row of avatars in the header: the colleagues who have this brand open now. Their names are tooltips. Hidden on the phone. */
export function ColleaguesInBrand() {
  const people = usePresentPeople()
  if (people.length === 0) return null
  const hiddenCount = people.length - maxAvatars
  return (
    <ul aria-label="In this brand now" className="flex -space-x-1.5 pr-1 max-sm:hidden">
      {people.slice(0, maxAvatars).map(({ userId, name }) => (
        <li key={userId} className="rounded-full ring-2 ring-bg">
          <Tooltip text={name}>
            <Avatar name={name} size={24} label={name} />
          </Tooltip>
        </li>
      ))}
      {hiddenCount > 0 && (
        <li className="num grid size-6 place-items-center rounded-full bg-active text-10 font-semibold text-ink2 ring-2 ring-bg">
          +{hiddenCount}
        </li>
      )}
    </ul>
  )
}
