import { deleteRecords } from '#web/data/changes/delete-records.ts'
import { stepsOf } from '#web/data/changes/steps.ts'
import { undoStep } from '#web/data/changes/undo-step.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { addDealContact, type DealPart } from '#web/data/deal-contacts.ts'
import { moveDeal } from '#web/data/deals.ts'
import type { SimDevice } from './sim-device.ts'

const parts: DealPart[] = ['decides', 'pays', 'uses']

/**
 * Returns a random action with its weight: adds a further contact to a deal, changes its part, removes it, or moves a deal; half of these are undone
 * at once.
 */
export function linkActions(
  { device, data }: SimDevice,
  random: () => number,
  { dealId, contactId, stageId }: { dealId: string | undefined; contactId: string | null; stageId: string | undefined },
): [number, () => void][] {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  if (!data || dealId === undefined) return []
  const links = [...data.tables.deal_contacts.values()].filter(({ deal_id }) => deal_id === dealId)
  /** The links in the same order in each run: by the text of the contact, because ids are random. */
  const textOf = (id: string) => data.tables.contacts.get(id)?.email ?? ''
  const link = pick(links.toSorted((one, other) => (textOf(one.contact_id) < textOf(other.contact_id) ? -1 : 1)))
  const part = pick(parts) ?? 'uses'
  const act = () => {
    const chance = random()
    if (chance < 0.4 && contactId !== null) return addDealContact(device, dealId, { id: contactId, label: 'Zoe' }, part)
    if (chance < 0.6 && link) return updateRecord(device, 'deal_contacts', link.id, { role: part })
    if (chance < 0.8 && link) return deleteRecords(device, 'deal_contacts', [link.id])
    return stageId === undefined ? null : moveDeal(device, dealId, stageId)
  }
  const actAndPerhapsUndo = async () => {
    const stepBefore = stepsOf(data).done.at(-1)
    const isUndone = random() < 0.5
    const outcome = act()
    const step = stepsOf(data).done.at(-1)
    await outcome
    if (isUndone && step && step !== stepBefore) await undoStep(device, step)?.outcome
  }
  return [[10, () => void actAndPerhapsUndo().catch(() => {})]]
}
