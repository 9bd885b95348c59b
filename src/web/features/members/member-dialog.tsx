import type { Member } from '#web/data/people/members.ts'
import { LeaveBrandDialog } from './leave-brand-dialog.tsx'
import { OwnNameDialog } from './own-name-dialog.tsx'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'

/** Which dialog to open, and for which member. */
export interface MemberDialogRequest {
  action: 'remove' | 'rename' | 'leave'
  member: Member
}

interface MemberDialogProps {
  request: MemberDialogRequest
  /** The member's name in this brand. */
  name: string
  brandName: string
  onClose: () => void
  onRemoved: () => void
  onLeft: () => void
}

/** The dialog that an item of a member's menu opens. */
export function MemberDialog({ request, name, brandName, onClose, onRemoved, onLeft }: MemberDialogProps) {
  switch (request.action) {
    case 'remove':
      return (
        <RemoveMemberDialog
          open
          member={request.member}
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
