import { PriorityBadge } from '#web/crm/priority-badge.tsx'
import { StageBadge } from '#web/crm/stage-badge.tsx'
import { SyncBadge } from '#web/crm/sync-badge.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge, CountBadge, OutlineBadge } from '#web/ui/badge.tsx'
import { LetterTile } from '#web/ui/letter-tile.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { HandshakeIcon } from '#web/ui/icons.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { tableHeadClasses, tableRowClasses } from '#web/ui/table-row.ts'
import { Wordmark } from '#web/ui/wordmark.tsx'
import { focusRingClasses, StateRow } from './state-row.tsx'

const rows = [
  ['Amara Okafor', 'amara.okafor@orchardvale.example', '£31,250'],
  ['Pieter van der Heijden', 'p.vanderheijden@maashaven.example', '€38,000'],
  ['Kenji Watanabe', 'k.watanabe@hoshino.example', '¥1,850,000'],
] as const

/** Parts that only show content: badges, avatars, cards, rows, empty states. */
export function Records() {
  return (
    <>
      <StateRow title="Mark, wordmark, brand tiles, avatars">
        <Mark size={40} />
        <Mark size={16} />
        <Wordmark />
        <LetterTile name="Harbour & Co" size={28} />
        <LetterTile name="Tidewater" size={40} />
        {([20, 24, 28, 32, 48] as const).map((size) => (
          <Avatar key={size} name="Lucía Romero" size={size} />
        ))}
        <Avatar name={null} size={32} />
      </StateRow>
      <StateRow title="Badges: stages and neutral, priority, relation, count">
        {['Incoming', 'Qualified', 'Proposal', 'Verbal Yes', 'Won', 'Lost', 'Discovery'].map((name) => (
          <StageBadge key={name} stage={{ name }} />
        ))}
        <Badge>Owner</Badge>
        {(['urgent', 'high', 'normal', 'low'] as const).map((priority) => (
          <PriorityBadge key={priority} priority={priority} />
        ))}
        <OutlineBadge leading={<Avatar name="Siân Prosser" size={20} />}>Siân Prosser</OutlineBadge>
        <OutlineBadge leading={<HandshakeIcon className="size-3.5" />}>Data migration</OutlineBadge>
        <CountBadge count="1,284" />
        <CountBadge count={3} tone="danger" />
      </StateRow>
      <StateRow title="Cards: rest, hover, focus, lifted" className="items-stretch!">
        {(['', 'shadow-pop!', focusRingClasses, 'rotate-[1.4deg] shadow-dialog!'] as const).map((state) => (
          <Card key={state} className={`w-40 p-3 ${state}`}>
            <p className="font-medium">Refill stations</p>
            <p className="num mt-1 text-ink2">£44,750</p>
          </Card>
        ))}
      </StateRow>
      <StateRow title="Table: head, row, chosen row" className="block!">
        <div className={`${tableHeadClasses} grid grid-cols-[24px_1fr_1.6fr_90px]`}>
          <span />
          <span>Name</span>
          <span>Email</span>
          <span className="text-right">Amount</span>
        </div>
        {rows.map(([name, email, amount], index) => (
          <div
            key={name}
            className={`${tableRowClasses(index === 2)} grid grid-cols-[24px_1fr_1.6fr_90px] items-center`}
          >
            <Checkbox label={`Select ${name}`} defaultChecked={index === 2} />
            <span className="truncate font-medium">{name}</span>
            <span className="truncate text-ink2">{email}</span>
            <span className="num text-right font-medium">{amount}</span>
          </div>
        ))}
      </StateRow>
      <StateRow title="Sync badge">
        {(['saved', 'sending', 'offline', 'attention', 'sign-in'] as const).map((state) => (
          <SyncBadge key={state} state={state} count={3} isOffline={state === 'offline'} onClick={() => {}} />
        ))}
        <SyncBadge state="attention" count={3} isOffline onClick={() => {}} />
      </StateRow>
      <StateRow title="Skeleton">
        <Skeleton className="size-8 rounded-full" />
        <Skeleton className="h-3.5 w-40" />
        <Skeleton className="h-3.5 w-24" />
      </StateRow>
      <StateRow title="Empty states" className="grid! grid-cols-2">
        {(['add', 'search', 'done', 'error'] as const).map((drawing) => (
          <EmptyState
            key={drawing}
            drawing={drawing}
            title={drawing === 'search' ? 'No contacts found matching your search' : 'No contacts yet'}
            actions={<Button>Add Your First Contact</Button>}
          />
        ))}
      </StateRow>
    </>
  )
}
