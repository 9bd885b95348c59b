import type { Member } from '#web/data/people/members.ts'
import { LeaveBrandDialog } from './leave-brand-dialog.tsx'
import { OwnNameDialog } from './own-name-dialog.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'

/** The question about a member. */
export interface Asked {
  what: 'remove' | 'rename' | 'leave'
  member: Member
}

interface MemberDialogProps {
  asked: Asked
  /** The member's name in this brand. */
  name: string
  brandName: string
  onClose: () => void
  onRemoved: () => void
  onLeft: () => void
}

/** The dialog of an item of a member's menu. */
export function MemberDialog({ asked, name, brandName, onClose, onRemoved, onLeft }: MemberDialogProps) {
  switch (asked.what) {
    case 'remove':
      return (
        <RemoveMemberDialog
          open
          userId={asked.member.user_id}
          name={name}
          brandName={brandName}
          onClose={onClose}
          onRemoved={onRemoved}
        />
      )
    case 'rename':
      return <OwnNameDialog open name={name} onClose={onClose} />
    case 'leave':
      return <LeaveBrandDialog open brandName={brandName} onClose={onClose} onLeft={onLeft} />
  }
}
