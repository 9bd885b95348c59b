import { useDevice } from '#web/data/browser/device.ts'
import { useOnlineValue } from '#web/data/session/online-value.ts'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import { useMemberNames, useUnopenedMembers } from '#web/data/people/member-names.ts'
import { invitations } from '#web/data/people/invitations.ts'
import { useMembers } from '#web/data/people/members.ts'
import { noAnswerMessage } from '#web/data/server/ask-server.ts'
import { useSession } from '#web/data/session/session.ts'
import { cx } from '#web/lib/class-names.ts'
import { useReloadOnReturn } from '#web/lib/use-reload-on-return.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RefreshIcon } from '#web/ui/icons.tsx'
import { keepFocusInCard } from '#web/ui/keep-focus.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { announce } from '#web/ui/live-region.ts'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import type { MemberDialogRequest } from './member-dialog.tsx'
import { MemberRow } from './member-row.tsx'
import { WhoCanAdd } from './who-can-add.tsx'

const InviteForm = lazyComponent(async () => (await import('./invite-form.tsx')).InviteForm)
const PendingInvitations = lazyComponent(async () => (await import('./pending-invitations.tsx')).PendingInvitations)
const MemberDialog = lazyDialog(async () => (await import('./member-dialog.tsx')).MemberDialog)

interface TeamMembersProps {
  /** Called after the person has left the brand. */
  onLeft: () => void
  /**
   * Shown beside the card. In a narrow window: below the card, and only when the card's content is shown, because the content would push it down.
   */
  beside: ReactNode
}

/** The Team Members card of /crm/settings: the invite form and the members of the brand (spec section 2). */
export function TeamMembers({ onLeft, beside }: TeamMembersProps) {
  const { ready, members, error, reload } = useMembers()
  const invited = useOnlineValue(invitations)
  const names = useMemberNames()
  const unopenedIds = useUnopenedMembers()
  const { brand } = useActiveBrand()
  const myUserId = useSession().session?.userId
  const [request, setRequest] = useState<MemberDialogRequest | null>(null)
  const [removedCount, setRemovedCount] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const phase = useSkeleton(ready && invited.ready)
  const [mayAdd, setMayAdd] = useState(false)
  // If the person loses the right to add members, the form stays with its input. The server then refuses to add anybody.
  if (!mayAdd && brand && brand.role !== 'member') setMayAdd(true)
  useEffect(() => {
    // If the server is unreachable, the card shows the error, and there is no toast, because the error is not about members. Screen readers announce
    // the error.
    if (error === noAnswerMessage) announce('Error loading members')
    else if (error) toast.error('Error loading members', { description: error })
  }, [error])
  // If the number of members changes, reloads the invitations, because the invitation of a person who has just joined is over.
  const device = useDevice()
  useReloadOnReturn(() => void invitations(device).reload())
  const memberCount = members.length
  const previousMemberCount = useRef(memberCount)
  useEffect(() => {
    if (previousMemberCount.current > 0 && previousMemberCount.current !== memberCount)
      void invitations(device).reload()
    previousMemberCount.current = memberCount
  }, [device, memberCount])
  // The focus was in the row of the removed member, which no longer exists.
  useEffect(() => {
    if (removedCount > 0) heading.current?.focus()
  }, [removedCount])
  return (
    <>
      <Card ref={keepFocusInCard} aria-label="Team Members" className="p-6 max-sm:p-4">
        <h2 className="text-lg">Team Members</h2>
        {mayAdd ? (
          <div className="mt-4 min-h-15.5 max-sm:min-h-57">
            <Suspense fallback={null}>
              <InviteForm members={members} invited={invited} onAdded={reload} />
            </Suspense>
          </div>
        ) : (
          <div className="mt-4 min-h-10">
            {phase === 'content' && members.length > 0 && <WhoCanAdd members={members} names={names} />}
          </div>
        )}
        {error && ready ? (
          <MembersError message={error} onRetry={reload} />
        ) : (
          <>
            <h3 ref={heading} tabIndex={-1} className="mt-6 text-14/5 outline-none">
              Current Members {phase === 'content' && <span className="num">({members.length})</span>}
            </h3>
            <ul className="mt-1">
              {phase === 'content' &&
                members.map((member) => (
                  <MemberRow
                    key={member.user_id}
                    member={member}
                    name={names.get(member.user_id) ?? null}
                    isMe={member.user_id === myUserId}
                    mine={brand?.role ?? null}
                    isAdded={unopenedIds.has(member.user_id)}
                    onRemove={() => setRequest({ action: 'remove', member })}
                    onRename={() => setRequest({ action: 'rename', member })}
                    onLeave={() => setRequest({ action: 'leave', member })}
                  />
                ))}
              {phase === 'skeleton' && [0, 1, 2].map((index) => <PlaceholderMember key={index} />)}
            </ul>
            <Suspense fallback={null}>
              {invited.value && invited.value.length > 0 && phase === 'content' && (
                <PendingInvitations invited={invited.value} names={names} />
              )}
            </Suspense>
          </>
        )}
        {request && (
          <MemberDialog
            open
            request={request}
            name={names.get(request.member.user_id) ?? request.member.email}
            brandName={brand?.name ?? ''}
            onClose={() => setRequest(null)}
            onRemoved={() => setRemovedCount(removedCount + 1)}
            onLeft={onLeft}
          />
        )}
      </Card>
      <div className={cx('grid grid-cols-1 gap-4', phase !== 'content' && 'max-lg:hidden')}>{beside}</div>
    </>
  )
}

function MembersError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <EmptyState
      drawing="error"
      title="Error loading members"
      description={message}
      actions={
        <Button icon={<RefreshIcon />} onClick={onRetry}>
          Try again
        </Button>
      }
    />
  )
}

function PlaceholderMember() {
  return (
    <li aria-hidden="true" className="flex min-h-14 items-center gap-3">
      <Skeleton className="size-8 rounded-full" />
      <div className="space-y-2">
        <Skeleton className="h-3.5 w-52" />
        <Skeleton className="h-3 w-28" />
      </div>
    </li>
  )
}
