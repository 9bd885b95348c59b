import { Fragment, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { type CalendarFeed, calendarFeed, endCalendarFeed, createCalendarFeed } from '#web/data/calendar-feed.ts'
import { capabilities } from '#web/data/session/capabilities.ts'
import { useOnlineValue } from '#web/data/session/online-value.ts'
import { formatDay } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { NewUrl } from '#web/ui/new-url.tsx'
import { toast } from '#web/ui/toast.ts'

const endedSentences: Record<NonNullable<CalendarFeed['ended']>, string> = {
  password:
    'Your calendar address stopped working because your password was changed. Make a new one for your calendars.',
  sessions:
    'Your calendar address stopped working because sessions of your account were ended. Make a new one for your calendars.',
}

/**
 * The card for the calendar feed of the person's tasks. Its secret URL is created, copied, renewed and turned off here. Renders nothing if
 * the backend has no feed.
 */
export function CalendarCard() {
  const device = useDevice()
  const { value: backend } = useOnlineValue(capabilities)
  const { value: feedAnswer, error } = useOnlineValue(calendarFeed)
  const [newUrl, setNewUrl] = useState<string | null>(null)
  const [actionToConfirm, setActionToConfirm] = useState<'renew' | 'end' | null>(null)
  const [isPending, setPending] = useState(false)
  if (!backend?.calendar) return null
  const feed = feedAnswer?.feed

  const createFeed = async () => {
    setPending(true)
    const outcome = await createCalendarFeed(device)
    setPending(false)
    setActionToConfirm(null)
    if (outcome.status === 'refused') return toast.error('The address was not made', { description: outcome.message })
    setNewUrl(outcome.address)
  }
  const endFeed = async () => {
    setPending(true)
    const outcome = await endCalendarFeed(device)
    setPending(false)
    setActionToConfirm(null)
    if (outcome.status === 'refused') return toast.error('Not turned off', { description: outcome.message })
    setNewUrl(null)
    toast.success('Calendar address turned off')
  }
  return (
    <Card aria-label="Calendar" className="mt-4 max-w-190 p-6 max-sm:p-4">
      <h2 className="text-lg">Calendar</h2>
      <p className="mt-1 text-sm text-pretty text-ink2">
        See your open tasks with a due date, from all your brands, in Google Calendar, Outlook or Apple Calendar. They
        subscribe to a secret address: anybody who has it can read these tasks. Brands that demand a second factor are
        left out. The address ends when you change your password or end other sessions.
      </p>
      {error && <p className="mt-3 text-sm text-ink2">{error}</p>}
      {newUrl && <NewFeedUrl address={newUrl} />}
      {feed?.ended && <p className="mt-3 text-sm text-pretty">{endedSentences[feed.ended]}</p>}
      {feedAnswer && (!feed || feed.ended) && (
        <Button className="mt-4" pending={isPending} onClick={() => void createFeed()}>
          Make address
        </Button>
      )}
      {feed && !feed.ended && (
        <div className="mt-4 flex flex-wrap items-center gap-x-2 gap-y-3">
          <p className="min-w-0 flex-1 basis-64 text-sm text-ink2">
            {newUrl
              ? 'Lost it later? Renew makes a new address, and the old one stops working.'
              : `Your address was made on ${formatDay(feed.made_at)} and cannot be shown again. For another calendar, or if you lost it, renew it: the old address then stops working.`}
          </p>
          <Button onClick={() => setActionToConfirm('renew')}>Renew</Button>
          <Button variant="quiet" onClick={() => setActionToConfirm('end')}>
            Turn off
          </Button>
        </div>
      )}
      <Dialog
        open={actionToConfirm !== null}
        onClose={() => setActionToConfirm(null)}
        pending={isPending}
        title={actionToConfirm === 'end' ? 'Turn off the calendar address?' : 'Renew the calendar address?'}
        footer={
          <>
            <Button size="form" onClick={() => setActionToConfirm(null)} disabled={isPending}>
              Cancel
            </Button>
            <Button
              size="form"
              variant={actionToConfirm === 'end' ? 'danger' : 'primary'}
              pending={isPending}
              onClick={() => void (actionToConfirm === 'end' ? endFeed() : createFeed())}
            >
              {actionToConfirm === 'end' ? 'Turn off' : 'Renew'}
            </Button>
          </>
        }
      >
        <p className="text-pretty">
          {actionToConfirm === 'end'
            ? 'Calendars that use the address no longer show your tasks.'
            : 'You get a new address to copy. The old address stops working: calendars that use it need the new one.'}
        </p>
      </Dialog>
    </Card>
  )
}

/** Instructions for common calendars: where to subscribe to a URL. */
const calendarInstructions = [
  ['Google', 'Other calendars, +, From URL (on a computer)'],
  ['Outlook', 'Add calendar, Subscribe from web'],
  ['Apple', 'New Calendar Subscription; on the iPhone Add Subscription Calendar'],
] as const

/** The new URL, shown only once, and where to paste it. */
function NewFeedUrl({ address }: { address: string }) {
  return (
    <section aria-label="New address" className="mt-4 rounded-control bg-sunken p-4">
      <h3 className="text-sm">Copy the address now: it is shown only once</h3>
      <NewUrl key={address} name="Calendar address" address={address} copy="Copy" className="mt-3" />
      <p className="mt-3 text-sm text-ink2">Then paste it in your calendar:</p>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {calendarInstructions.map(([name, path]) => (
          <Fragment key={name}>
            <dt className="text-ink3">{name}</dt>
            <dd className="text-ink2">{path}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}
