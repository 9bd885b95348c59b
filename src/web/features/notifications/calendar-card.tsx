import { useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { type CalendarFeed, calendarFeed, endCalendarFeed, makeCalendarAddress } from '#web/data/calendar-feed.ts'
import { capabilities } from '#web/data/session/capabilities.ts'
import { useOnlineValue } from '#web/data/session/online-value.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { NewAddress } from '#web/ui/new-address.tsx'
import { toast } from '#web/ui/toast.ts'

const endedSentences: Record<NonNullable<CalendarFeed['ended']>, string> = {
  password: 'Your address ended because your password was changed. Make a new one for your calendars.',
  sessions: 'Your address ended because sessions were ended. Make a new one for your calendars.',
}

/** One's tasks in one's own calendar, by a secret address: made, copied, renewed and turned off. Nothing where the backend has no feed. */
export function CalendarCard() {
  const device = useDevice()
  const { value: can } = useOnlineValue(capabilities)
  const { value: known, error } = useOnlineValue(calendarFeed)
  const [address, setAddress] = useState<string | null>(null)
  const [asked, setAsked] = useState<'renew' | 'end' | null>(null)
  const [isPending, setPending] = useState(false)
  if (!can?.calendar) return null
  const feed = known?.feed

  const make = async () => {
    setPending(true)
    const made = await makeCalendarAddress(device)
    setPending(false)
    setAsked(null)
    if (made.status === 'refused') return toast.error('The address was not made', { description: made.message })
    setAddress(made.address)
  }
  const end = async () => {
    setPending(true)
    const outcome = await endCalendarFeed(device)
    setPending(false)
    setAsked(null)
    if (outcome.status === 'refused') return toast.error('Not turned off', { description: outcome.message })
    setAddress(null)
    toast.success('Calendar address turned off')
  }
  return (
    <Card aria-label="Calendar" className="mt-4 max-w-[760px] p-6 max-sm:p-4">
      <h2 className="text-lg">Calendar</h2>
      <p className="mt-1 text-sm text-pretty text-ink2">
        Your open tasks with a due date, from all your brands, in the calendar that you use: subscribe there to a secret
        address. Brands that demand a second factor are left out. It ends when you change your password or end other
        sessions.
      </p>
      {error && <p className="mt-3 text-sm text-ink2">{error}</p>}
      {address && <NewAddress key={address} name="Calendar address" address={address} copy="Copy" className="mt-4" />}
      {feed?.ended && <p className="mt-3 text-sm text-pretty">{endedSentences[feed.ended]}</p>}
      {known && (!feed || feed.ended) && (
        <Button className="mt-4" pending={isPending} onClick={() => void make()}>
          Make address
        </Button>
      )}
      {feed && !feed.ended && (
        <div className="mt-4 flex flex-wrap items-center gap-2">
          <p className="min-w-0 flex-1 basis-64 text-sm text-ink2">
            {address
              ? 'It is not shown again.'
              : `The address was made on ${formatDay(feed.made_at)}. Renew it to see one.`}
          </p>
          <Button onClick={() => setAsked('renew')}>Renew</Button>
          <Button variant="quiet" onClick={() => setAsked('end')}>
            Turn off
          </Button>
        </div>
      )}
      <Dialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        pending={isPending}
        title={asked === 'end' ? 'Turn off the calendar address?' : 'Renew the calendar address?'}
        footer={
          <>
            <Button size="form" onClick={() => setAsked(null)} disabled={isPending}>
              Cancel
            </Button>
            <Button
              size="form"
              variant={asked === 'end' ? 'danger' : 'primary'}
              pending={isPending}
              onClick={() => void (asked === 'end' ? end() : make())}
            >
              {asked === 'end' ? 'Turn off' : 'Renew'}
            </Button>
          </>
        }
      >
        <p className="text-pretty">
          {asked === 'end'
            ? 'Calendars that use it show these tasks no more.'
            : 'The old address stops working: calendars that use it need the new one.'}
        </p>
      </Dialog>
    </Card>
  )
}
