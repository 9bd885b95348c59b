import { lazy, Suspense, useEffect } from 'react'
import { type Member, useMembers } from '#web/data/members.ts'
import { useSession } from '#web/data/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { RefreshIcon } from '#web/ui/icons.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.ts'

const InviteForm = lazy(async () => ({ default: (await import('./invite-form.tsx')).InviteForm }))

/** The Team Members card of /crm/settings: the invite form and who is in the brand (spec section 2). */
export function TeamMembers() {
  const { ready, members, error, reload } = useMembers()
  const phase = useSkeleton(ready)
  useEffect(() => {
    if (error) toast.error('Error loading members', { description: error })
  }, [error])
  return (
    <Card aria-label="Team Members" className="p-6 max-sm:p-4">
      <h2 className="text-lg">Team Members</h2>
      <div className="mt-4 min-h-15.5 max-sm:min-h-57">
        <Suspense fallback={null}>
          <InviteForm onAdded={reload} />
        </Suspense>
      </div>
      {error && ready ? (
        <LoadingFailed message={error} onRetry={reload} />
      ) : (
        <>
          <h3 className="mt-6 text-[14px]/5">
            Current Members {phase === 'content' && <span className="num">({members.length})</span>}
          </h3>
          <ul className="mt-1">
            {phase === 'content' && members.map((member) => <MemberRow key={member.user_id} member={member} />)}
            {phase === 'skeleton' && [0, 1, 2].map((place) => <PlaceholderMember key={place} />)}
          </ul>
        </>
      )}
    </Card>
  )
}

function MemberRow({ member }: { member: Member }) {
  const isMe = useSession().session?.userId === member.user_id
  return (
    <li className="flex min-h-14 items-center gap-3 border-b border-line py-2 last:border-0">
      <Avatar name={member.email.split('@')[0]} size={32} />
      <div className="min-w-0 flex-1">
        <p title={member.email} className="truncate font-medium">
          {member.email}
        </p>
        <p className="text-xs text-ink2">
          {isMe && 'You · '}Joined {joined.format(new Date(member.created_at))}
        </p>
      </div>
      <Badge>{member.role.charAt(0).toUpperCase() + member.role.slice(1)}</Badge>
    </li>
  )
}

const joined = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

function LoadingFailed({ message, onRetry }: { message: string; onRetry: () => void }) {
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
