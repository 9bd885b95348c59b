import type { Member } from '#web/data/people/members.ts'
import { LeaveBrandDialog } from './leave-brand-dialog.tsx'
import { OwnNameDialog } from './own-name-dialog.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'

/** The dialog to open, and the member it is about. */
export interface MemberQuestion {
  action: 'remove' | 'rename' | 'leave'
  member: Member
}

interface MemberDialogProps {
  question: MemberQuestion
  /** The member's name in this brand. */
  name: string
  brandName: string
  onClose: () => void
  onRemoved: () => void
  onLeft: () => void
}

/** The dialog that an item of a member's menu opens. */
export function MemberDialog({ question, name, brandName, onClose, onRemoved, onLeft }: MemberDialogProps) {
  switch (question.action) {
    case 'remove':
      return (
        <RemoveMemberDialog
          open
          member={question.member}
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
