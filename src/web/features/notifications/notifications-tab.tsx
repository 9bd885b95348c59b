import { Card } from '#web/ui/card.tsx'
import { PushSetting } from './push-setting.tsx'
import { QuietHours } from './quiet-hours.tsx'

/** The tab Notifications of /crm/settings: pushes to this device, and when they are quiet. */
export function NotificationsTab() {
  return (
    <Card aria-label="Your notifications" className="max-w-[760px] p-6 max-sm:p-4">
      <h2 className="text-lg">Notifications</h2>
      <p className="mt-1 text-sm text-pretty text-ink2">
        The bell shows what others assign to you, who mentions you, who moves your deals, and your tasks when they are
        due.
      </p>
      <PushSetting />
      <QuietHours />
    </Card>
  )
}
