import { Card } from '#web/ui/card.tsx'
import { CalendarCard } from './calendar-card.tsx'
import { PushedKinds } from './pushed-kinds.tsx'
import { PushSetting } from './push-setting.tsx'
import { QuietHours } from './quiet-hours.tsx'

/** The tab Notifications of /crm/settings: pushes to this device, the kinds that are pushed, quiet hours, and the calendar feed. */
export function NotificationsTab() {
  return (
    <>
      <Card aria-label="Your notifications" className="max-w-190 p-6 max-sm:p-4">
        <h2 className="text-lg">Notifications</h2>
        <p className="mt-1 text-sm text-pretty text-ink2">
          The bell has everything that concerns you. Choose what also comes to your devices.
        </p>
        <PushSetting />
        <PushedKinds />
        <QuietHours />
      </Card>
      <CalendarCard />
    </>
  )
}
