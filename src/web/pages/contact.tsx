import { useNavigate, useParams } from '@tanstack/react-router'
import { useRecord } from '#web/data/use-record.ts'
import { Panel, PanelMissing, PanelSkeleton } from '#web/ui/panel.tsx'

/** /crm/contacts/ID: a contact beside the list. */
export function ContactPage() {
  const { contactId: id } = useParams({ from: '/crm/contacts/$contactId' })
  const navigate = useNavigate()
  const { ready, row, missing } = useRecord('contacts', id)
  const close = () => void navigate({ to: '/crm/contacts', search: (kept) => kept, resetScroll: false })
  const name = row ? [row.first_name, row.last_name].filter(Boolean).join(' ') || row.email : ''
  return (
    <Panel label={`Contact ${name}`} kind="Contact" recordId={id} onClose={close}>
      {missing ? <PanelMissing /> : ready && row ? <h2 className="text-xl">{name}</h2> : <PanelSkeleton />}
    </Panel>
  )
}
