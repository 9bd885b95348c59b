import { useDevice } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { announceOpenRecord } from '#web/data/sync/presence.ts'
import { usePresentPeople } from '#web/data/people/present-people.ts'
import { Avatar } from '#web/ui/avatar.tsx'

/**
 * Shows the other people who have this record open, and announces to them that this tab has the record open. `path`: the path of the record,
 * '/crm/deals/ID'.
 */
export function OtherViewers({ path }: { path: string }) {
  const device = useDevice()
  useEffect(() => {
    announceOpenRecord(device, path)
    return () => announceOpenRecord(device, null)
  }, [device, path])
  const others = usePresentPeople().filter(({ open }) => open.includes(path))
  const [first] = others
  if (!first) return null
  const text = others.length === 1 ? `${first.name} is here` : `${first.name} and ${others.length - 1} more are here`
  return (
    <p className="mr-1 flex min-w-0 items-center gap-1.5 text-xs text-ink2">
      <Avatar name={first.name} size={20} />
      <span className="truncate">{text}</span>
    </p>
  )
}
