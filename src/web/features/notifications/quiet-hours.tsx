import { useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import {
  type NotificationSettings,
  notificationSettings,
  setQuietHours,
  timeZone,
} from '#web/data/notification-settings.ts'
import { useOnlineValue } from '#web/data/session/online-value.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { SettingRow } from '#web/ui/setting-row.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.ts'

const defaultHours = { from: '20:00', until: '08:00' }

/**
 * Sets the hours in which nothing is pushed. The hours are saved in the time zone of this device; another device may have saved them in another zone.
 */
export function QuietHours() {
  const { value, missing, error } = useOnlineValue(notificationSettings)
  const device = useDevice()
  const [isPending, setPending] = useState(false)
  if (missing) return null
  const isOn = value?.quiet_from != null
  const saveHours = async (hours: { from: string; until: string } | null) => {
    setPending(true)
    const outcome = await setQuietHours(device, hours)
    if (outcome.status === 'refused') toast.error('Quiet hours were not saved', { description: outcome.message })
    setPending(false)
  }
  return (
    <>
      <SettingRow
        title="Quiet hours"
        hint={
          value
            ? `Notifications from these hours are sent to your devices when the hours end. ${zoneSentences(isOn ? value.time_zone : null)}`
            : (error ?? ' ')
        }
        action={
          value && (
            <Switch
              label="Quiet hours"
              checked={isOn}
              pending={isPending}
              onChange={(on) => void saveHours(on ? defaultHours : null)}
            />
          )
        }
      />
      {value && isOn && (
        <HoursForm
          key={`${value.quiet_from} ${value.quiet_until} ${value.time_zone}`}
          value={value}
          pending={isPending}
          onSave={saveHours}
        />
      )}
    </>
  )
}

/** Says in which time zone the hours are. `savedZone`: the zone in which they were saved; null if none are saved. */
function zoneSentences(savedZone: string | null): string {
  const ownZone = timeZone()
  const times = `Times are those of ${wordsOf(savedZone ?? ownZone)}.`
  if (isOwnZone(savedZone)) return times
  return `${times} This device is in ${wordsOf(ownZone)}. Save the hours to change them to this time zone.`
}

/** Whether a zone has the times of this device in winter and summer. True for null. Zones can have several names: 'Asia/Calcutta', 'Asia/Kolkata'. */
function isOwnZone(zone: string | null): boolean {
  if (zone === null || zone === timeZone()) return true
  try {
    return [Date.UTC(2026, 0), Date.UTC(2026, 6)].every((at) => timeIn(zone, at) === timeIn(timeZone(), at))
  } catch {
    // This browser does not know the zone.
    return false
  }
}

function timeIn(zone: string, at: number): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at)
}

function wordsOf(zone: string): string {
  return zone.replaceAll('_', ' ')
}

interface HoursProps {
  value: NotificationSettings
  pending: boolean
  onSave: (hours: { from: string; until: string }) => Promise<void>
}

function HoursForm({ value, pending, onSave }: HoursProps) {
  const [from, setFrom] = useState(value.quiet_from ?? defaultHours.from)
  const [until, setUntil] = useState(value.quiet_until ?? defaultHours.until)
  const isUnchanged = from === value.quiet_from && until === value.quiet_until && isOwnZone(value.time_zone)
  const isComplete = from !== '' && until !== '' && from !== until
  return (
    <form
      className="mt-2 flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete && !isUnchanged) void onSave({ from, until })
      }}
    >
      <Field label="From" className="w-32 max-sm:w-40">
        <Input type="time" value={from} onChange={({ target }) => setFrom(target.value)} />
      </Field>
      <Field label="Until" className="w-32 max-sm:w-40">
        <Input type="time" value={until} onChange={({ target }) => setUntil(target.value)} />
      </Field>
      <Button type="submit" size="form" pending={pending} disabled={isUnchanged || !isComplete}>
        Save
      </Button>
    </form>
  )
}
