import type { LinkKind } from '#web/data/session/mail-links.ts'

/** The texts of the page that an emailed link opens. The link takes effect only when the person presses the button. */
export const linkWords: Record<LinkKind, { title: string; description: string; button: string }> = {
  signup: {
    title: 'Confirm your email',
    description: 'Confirm, and your account is ready.',
    button: 'Confirm',
  },
  recovery: {
    title: 'Set a new password',
    description: 'The link in the mail lets you choose a new one.',
    button: 'Continue',
  },
  email_change: {
    title: 'Confirm the change of your email',
    description: 'The address changes once both links, to the old and to the new address, were opened.',
    button: 'Confirm',
  },
  invite: {
    title: 'You are invited',
    description: 'Accept the invitation and choose a password.',
    button: 'Accept the invitation',
  },
}

/** Returns the kind of link in a URL; null if it is unknown. */
export function linkKindOf(type: string | undefined): LinkKind | null {
  return type !== undefined && isLinkKind(type) ? type : null
}

function isLinkKind(type: string): type is LinkKind {
  return Object.hasOwn(linkWords, type)
}
