import { useEffect, useRef, useState } from 'react'
import { comboboxProps, recordKinds } from '#web/crm/record-kinds.tsx'
import { RecordLink } from '#web/crm/record-link.tsx'
import { deleteWithUndo } from '#web/crm/delete-with-undo.ts'
import { beginUndoable } from '#web/crm/undo-action.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { useContactSearch } from '#web/data/contact-picker.ts'
import { addDealContact, type DealContactEntry, type DealPart, useContactsOfDeal } from '#web/data/deal-contacts.ts'
import type { Deal } from '#web/data/server/rows.ts'
import type { Choice } from '#web/lib/choice.ts'
import { isComposing } from '#web/lib/is-composing.ts'
import { PanelAddButton } from '#web/ui/panel-add-button.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Combobox } from '#web/ui/combobox.tsx'
import { giveFocus } from '#web/ui/focus.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { CloseIcon } from '#web/ui/icons.tsx'
import { PanelCard, PanelSection } from '#web/ui/panel-parts.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.ts'
import { dealParts } from './deal-parts.ts'

/** The contacts of a deal besides the main one, each with a part. A contact is added by choosing its name and then its part. */
export function FurtherContacts({ deal }: { deal: Pick<Deal, 'id' | 'contact_id'> }) {
  const { ready, entries } = useContactsOfDeal(deal.id)
  const [isAdding, setIsAdding] = useState(false)
  return (
    <PanelSection
      title="Further contacts"
      aside={
        // The button keeps its place until the contacts are known, so that the sections below do not move.
        !isAdding && (
          <div className={ready ? undefined : 'invisible'}>
            <PanelAddButton label="Add contact" onClick={() => setIsAdding(true)} />
          </div>
        )
      }
    >
      {(entries.length > 0 || isAdding) && (
        <PanelCard>
          {entries.map((entry) => (
            <Line key={entry.row.id} entry={entry} />
          ))}
          {isAdding && <ContactFinder deal={deal} entries={entries} onEnd={() => setIsAdding(false)} />}
        </PanelCard>
      )}
    </PanelSection>
  )
}

function Line({ entry: { row, name } }: { entry: DealContactEntry }) {
  const device = useDevice()
  const changePart = async (role: DealPart) => {
    const { run, options } = beginUndoable(device)
    const outcome = await run(() => updateRecord(device, 'deal_contacts', row.id, { role }))
    if (outcome.status === 'refused') toast.error('Error changing part', { description: outcome.message })
    else toast.success(`${name ?? 'The contact'} ${role} now`, options)
  }
  return (
    <div className="flex min-h-12 items-center gap-3 px-3 max-sm:min-h-14 max-sm:px-4">
      <Avatar name={name} size={32} />
      <RecordLink
        table="contacts"
        id={row.contact_id}
        title={name ?? undefined}
        className="min-w-0 flex-1 truncate rounded-badge font-medium hover:underline"
      >
        {name ?? 'A contact without a name'}
      </RecordLink>
      <Select
        value={row.role}
        options={dealParts}
        onChange={(role) => void changePart(role)}
        size="control"
        aria-label={`Part of ${name ?? 'this contact'}`}
        className="field-quiet w-28 shrink-0"
      />
      <IconButton
        label={`Remove ${name ?? 'this contact'} from the deal`}
        icon={<CloseIcon />}
        size={28}
        onClick={() => deleteWithUndo(device, 'deal_contacts', [row.id])}
      />
    </div>
  )
}

function ContactFinder({
  deal,
  entries,
  onEnd,
}: {
  deal: Pick<Deal, 'id' | 'contact_id'>
  entries: readonly DealContactEntry[]
  onEnd: () => void
}) {
  const device = useDevice()
  const { choices, ...searchState } = useContactSearch()
  const [contact, setContact] = useState<Choice | null>(null)
  const line = useRef<HTMLDivElement>(null)
  const usedIds = new Set([deal.contact_id, ...entries.map(({ row }) => row.contact_id)])
  const isChosen = contact !== null
  useEffect(() => {
    giveFocus(line.current?.querySelector(isChosen ? 'button[role=combobox]' : 'input'))
    line.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  const add = async (chosen: Choice, role: DealPart) => {
    onEnd()
    const { run, options } = beginUndoable(device)
    const outcome = await run(() => addDealContact(device, deal.id, chosen, role))
    if (outcome.status === 'refused') toast.error('Error adding contact', { description: outcome.message })
    else toast.success('Contact added to the deal', { description: chosen.label, ...options })
  }
  return (
    <div
      ref={line}
      className="flex scroll-my-4 items-center gap-2 px-3 py-2 max-sm:px-4"
      // After a contact is chosen, the line stays until a part is chosen, or until the cross or Escape ends it.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!isChosen && !currentTarget.contains(relatedTarget)) onEnd()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event)) return
        event.stopPropagation()
        onEnd()
      }}
    >
      <Combobox
        value={contact}
        onChange={setContact}
        {...comboboxProps({ ...searchState, choices: choices.filter(({ id }) => !usedIds.has(id)) })}
        placeholder="Search contacts…"
        aria-label="Further contact"
        size="control"
        leading={recordKinds.contacts.leading}
        className="min-w-0 flex-1"
      />
      {contact && (
        <Select
          value={null}
          options={dealParts}
          onChange={(role: DealPart) => void add(contact, role)}
          placeholder="Part…"
          size="control"
          aria-label={`Part of ${contact.label}`}
          className="w-28 shrink-0"
        />
      )}
    </div>
  )
}
