import { useEffect } from 'react'
import { useOpenRecord } from '#web/crm/record-link.tsx'
import type { ContactEntry } from '#web/data/contacts.ts'
import { countOf } from '#web/lib/count.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { announce } from '#web/ui/live-region.ts'
import { factsOf } from './contact-facts.ts'

interface KnownContactHintProps {
  entry: ContactEntry
  /** The value that the contact shares with the input. Default: the email address. */
  has?: 'address' | 'number'
  /** The number of further contacts with the same value. */
  others?: number
  /** Whether the form was submitted although the contact already has all typed values. */
  hasNothingToSave?: boolean
  /** Called before the contact is opened. */
  onOpen: () => void
}

/**
 * Shown below an email address or phone number that a contact already has: 'Dieter Krause has this address' (or 'number'), and a button
 * that opens the contact.
 */
export function KnownContactHint(props: KnownContactHintProps) {
  const { entry, has = 'address', others = 0, hasNothingToSave = false, onOpen } = props
  const open = useOpenRecord()
  const { name, title, email, phone, company } = factsOf(entry)
  const othersText = others > 0 ? ` and ${countOf(others, 'other contact', 'other contacts')}` : ''
  const headline = `${name ?? 'A contact'}${othersText} ${othersText ? 'have' : 'has'} this ${has}`
  const nothingToSaveText = 'There is nothing new to save. Open the contact, or type what has changed.'
  const facts = [title, company, has === 'number' ? email : phone].filter(Boolean).join(' · ')
  useEffect(() => announce(headline), [headline])
  useEffect(() => {
    if (hasNothingToSave) announce(nothingToSaveText)
  }, [hasNothingToSave])
  return (
    <div className="flex items-center gap-3 rounded-card bg-accent-soft py-2.5 pr-2.5 pl-3">
      <Avatar name={name} size={32} />
      <div className="min-w-0 flex-1">
        <p className="text-sm font-medium wrap-anywhere">{headline}</p>
        {hasNothingToSave ? (
          <p className="text-xs text-ink2">{nothingToSaveText}</p>
        ) : (
          facts && <p className="truncate text-xs text-ink2">{facts}</p>
        )}
      </div>
      <Button
        onClick={() => {
          onOpen()
          open('contacts', entry.contact.id)
        }}
      >
        Open
      </Button>
    </div>
  )
}
