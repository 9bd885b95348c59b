import type { KeyboardEvent, ReactNode } from 'react'
import { RecordLink } from '#web/crm/record-link.tsx'
import { useDevice } from '#web/data/browser/device.ts'
import { isUnread, type Notification } from '#web/data/notifications.ts'
import type { Inbox } from '#web/data/use-inbox.ts'
import { membershipsOf } from '#web/data/people/brands.ts'
import { usePeople } from '#web/data/people/people.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { useObservable } from '#web/lib/observable.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ClockIcon, FileIcon } from '#web/ui/icons.tsx'
import { Link } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { notificationWords } from './notification-words.ts'
import { plainBeginning } from './plain-beginning.ts'

/** The notifications, newest first: the person, the action, the record and the time. Arrow keys move the focus between notifications. */
export function NotificationList({ inbox, onOpen }: { inbox: Inbox; onOpen: (opened: Notification) => void }) {
  const { notifications, failed } = inbox
  if (!notifications?.length) {
    if (failed)
      return (
        <EmptyState
          drawing="error"
          title="Your notifications could not be loaded"
          description="They are loaded as soon as the server responds."
        />
      )
    if (!notifications) return <Placeholder />
    return (
      <EmptyState
        drawing="done"
        title="Nothing new"
        description="You see here what others assign to you and what they change in your deals."
      />
    )
  }
  return (
    <ul className="flex flex-col" onKeyDown={moveFocus}>
      {notifications.map((notification) => (
        <li key={notification.id}>
          <NotificationLink notification={notification} onOpen={() => onOpen(notification)}>
            <Line notification={notification} />
          </NotificationLink>
        </li>
      ))}
    </ul>
  )
}

interface LinkProps {
  notification: Notification
  onOpen: () => void
  children: ReactNode
}

const linkClass =
  'flex items-start gap-3 rounded-control px-2.5 py-2.5 outline-offset-[-2px] hover:bg-hover dark:hover:bg-active'

/**
 * Links to what the notification is about: the record and its note, the report of an import, or the person's brands; otherwise to Settings,
 * where the team is.
 */
function NotificationLink({ notification, onOpen, children }: LinkProps) {
  const { kind, record_table: table, record_id: id, note_id: noteId } = notification
  const { memberships } = useObservable(membershipsOf(useDevice()))
  if (table && id)
    return (
      <RecordLink
        table={table}
        id={id}
        hash={noteId ? `#note-${noteId}` : undefined}
        className={linkClass}
        onClick={onOpen}
      >
        {children}
      </RecordLink>
    )
  const linkProps = { className: linkClass, onClick: onOpen, children }
  if (kind === 'import_ended') return <Link {...linkProps} to="/crm/import-contacts" hash={`import-${id}`} />
  if (kind === 'added_to_brand') {
    // If this device knows only one brand, /select-brand opens that brand at once, unless `switched` is true.
    return <Link {...linkProps} to="/select-brand" state={{ switched: memberships.length === 1 }} />
  }
  return <Link {...linkProps} to="/crm/settings" />
}

function Line({ notification }: { notification: Notification }) {
  const people = usePeople()
  const { kind, detail } = notification
  // A person of another brand is unknown here, so the notification contains the name.
  const who = (kind === 'added_to_brand' && detail) || (people.byId(notification.actor_id)?.name ?? 'Somebody')
  const isNew = isUnread(notification)
  return (
    <>
      {kind === 'task_due' || kind === 'import_ended' ? (
        <span className="grid size-7 shrink-0 place-items-center rounded-full bg-active text-ink2">
          {kind === 'task_due' ? <ClockIcon /> : <FileIcon />}
        </span>
      ) : (
        <Avatar name={who} size={28} />
      )}
      <span className="min-w-0 flex-1">
        <span className="block text-ink2">
          {notificationWords(notification, who).map(({ text, isName }, partIndex) => (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of a sentence are never reordered, and two may be equal
            <span key={partIndex} className={isName ? 'font-medium break-words text-ink' : undefined}>
              {text}
            </span>
          ))}
        </span>
        {(kind === 'mentioned' || kind === 'import_ended') && detail && (
          <span className="num mt-0.5 line-clamp-2 break-words text-ink2">
            {kind === 'mentioned' ? plainBeginning(detail) : detail}
          </span>
        )}
        <span className="num block text-13/5 text-ink3">{formatMoment(notification.created_at)}</span>
      </span>
      {isNew && (
        <span className="mt-1.5 size-2 shrink-0 rounded-full bg-accent">
          <span className="sr-only">Unread</span>
        </span>
      )}
    </>
  )
}

function Placeholder() {
  return (
    <div className="flex flex-col gap-4 p-3" aria-busy>
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} className="h-9 w-full" />
      ))}
    </div>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  const links = [...event.currentTarget.querySelectorAll('a')]
  const focusedIndex = links.findIndex((link) => link === document.activeElement)
  const next = links[focusedIndex + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
