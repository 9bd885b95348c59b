import { z } from 'zod'

/** The schema of the words of a mail. `render.ts` adds the layout. */
export const wordsSchema = z.object({
  subject: z.string().min(1),
  heading: z.string().min(1),
  lines: z.array(z.string()),
  /** The text of the button with the link. */
  button: z.string().optional(),
  /** Small text at the bottom of the mail. */
  note: z.string().optional(),
})
export type MailWords = z.infer<typeof wordsSchema>

type TemplateData = Readonly<Record<string, unknown>>

const ignoreNotice = 'Was this not you? Then ignore this mail: without a click nothing happens.'
const securityNotice =
  'Was this not you? Then reset your password now, and end the other sessions in Settings, Security.'

const nameOf = (name: unknown): string => (typeof name === 'string' && name !== '' ? name : 'without a name')

/** The templates of mails about accounts. The further template `message` takes its words from its data. */
const templates = {
  signup: () => ({
    subject: 'Confirm your email address',
    heading: 'Confirm your email address',
    lines: ['One click, and your account is ready.', 'The link works once, for 24 hours.'],
    button: 'Confirm email address',
    note: ignoreNotice,
  }),
  'repeated-signup': () => ({
    subject: 'Confirm your email address',
    heading: 'Confirm your email address',
    lines: [
      'Somebody signed up with this email address again. This link sets the password of that last sign-up.',
      'If you signed up earlier, and not again, use the link in the earlier mail, or choose ‘Forgot password?’.',
      'The link works once, for 24 hours.',
    ],
    button: 'Confirm email address',
    note: ignoreNotice,
  }),
  'several-signups': () => ({
    subject: 'Confirm your email address',
    heading: 'Confirm your email address',
    lines: [
      'There may have been several sign-ups with this email address. So after the click you choose a new password.',
      'The link works once, for one hour.',
    ],
    button: 'Confirm and choose a password',
    note: ignoreNotice,
  }),
  'known-address': () => ({
    subject: 'You have an account already',
    heading: 'You have an account already',
    lines: [
      'Somebody, probably you, signed up with this email address, or asked for a confirmation link. The address has an account, so nothing was changed.',
      'Sign in with your password. If you do not remember it, choose ‘Forgot password?’ there.',
    ],
    button: 'Sign in',
    note: 'Was this not you? Then there is nothing to do.',
  }),
  recovery: () => ({
    subject: 'Set a new password',
    heading: 'Set a new password',
    lines: ['You asked for a new password.', 'The link works once, for one hour.'],
    button: 'Set a new password',
    note: ignoreNotice,
  }),
  'email-change-current': ({ new_email }: TemplateData) => ({
    subject: 'Confirm the change of your email address',
    heading: 'Change your email address?',
    lines: [
      `You asked to change the address of your account to ${String(new_email)}.`,
      'Both links must be opened: the one in this mail, and the one in the mail to the new address. The links work for 24 hours.',
    ],
    button: 'Confirm the change',
    note: 'Was this not you? Do not click, and change your password: somebody is signed in as you.',
  }),
  'email-change-new': ({ old_email }: TemplateData) => ({
    subject: 'Confirm your new email address',
    heading: 'Confirm your new email address',
    lines: [
      `The account of ${String(old_email)} asked to use this address.`,
      'Both links must be opened: the one in this mail, and the one in the mail to the old address. The links work for 24 hours.',
    ],
    button: 'Confirm new address',
    note: ignoreNotice,
  }),
  'email-changed': ({ new_email }: TemplateData) => ({
    subject: 'Your email address was changed',
    heading: 'Your email address was changed',
    lines: [`Your account now has the address ${String(new_email)}. This address is no longer used.`],
    note: 'Was this not you? Ask whoever runs this server at once.',
  }),
  reauthenticate: () => ({
    subject: 'Your confirmation code',
    heading: 'Your confirmation code',
    lines: ['Enter this code to confirm that it is you. It works once, for 10 minutes.'],
    note: 'Was this not you? Do not pass the code on, and change your password.',
  }),
  'password-changed': () => ({
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    lines: ['All your other sessions were ended.'],
    note: securityNotice,
  }),
  'factor-added': ({ name }: TemplateData) => ({
    subject: 'A second factor was added',
    heading: 'A second factor was added',
    lines: [`Your account now asks for a second factor at sign-in. The new one: ${nameOf(name)}.`],
    note: securityNotice,
  }),
  'factor-removed': ({ name }: TemplateData) => ({
    subject: 'A second factor was removed',
    heading: 'A second factor was removed',
    lines: [`This second factor was removed from your account: ${nameOf(name)}.`],
    note: securityNotice,
  }),
} satisfies Record<string, (data: TemplateData) => MailWords>

export type TemplateName = keyof typeof templates

/** Returns the words of a mail. Returns null if the template does not exist, or if `data` of `message` has no valid words. */
export function wordsOf(template: string, data: TemplateData): MailWords | null {
  if (template === 'message') return wordsSchema.safeParse(data).data ?? null
  return Object.hasOwn(templates, template) ? templates[template as TemplateName](data) : null
}
