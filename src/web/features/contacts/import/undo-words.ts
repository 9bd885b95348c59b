import type { UndoneImport, UndoPlan } from '#web/data/imports.ts'
import { countOf } from '#web/lib/count.ts'

/** Returns the result of an undo as text: 'Deleted: 1,951 contacts and 60 companies. Restored: 2 contacts. 3 contacts stay: …' */
export function undoneWords({ contacts, companies, restored, kept, changed }: Omit<UndoneImport, 'done'>): string {
  const deletedCounts = [
    ...(contacts > 0 || restored === 0 ? [countOf(contacts, 'contact', 'contacts')] : []),
    ...(companies > 0 ? [countOf(companies, 'company', 'companies')] : []),
  ]
  return [
    deletedCounts.length > 0 && `Deleted: ${deletedCounts.join(' and ')}.`,
    restored > 0 && `Restored: ${countOf(restored, 'contact', 'contacts')}.`,
    ...unchangedWords(kept ?? 0, changed ?? 0),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Returns a sentence about each kind of record that an undo leaves unchanged. */
export function unchangedWords(kept: number, changed: number): string[] {
  return [...(kept > 0 ? [keptWords(kept)] : []), ...(changed > 0 ? [changedWords(changed)] : [])]
}

/** Returns sentences about what an undo would do and what it would leave unchanged. */
export function planWords(plan: UndoPlan): string[] {
  const { removable, kept, restorable, changed, unused_companies: companies } = plan
  if (undoVerb(plan) === null)
    return [
      'Nothing of this import can be undone now.',
      ...unchangedWords(kept, changed),
      ...(kept + changed > 0 ? ['If a later import changed them, undo that one first.'] : []),
    ]
  const removedSentence = `${countOf(removable, 'contact that it added is', 'contacts that it added are')} deleted, and the companies that it added and that no record uses.`
  const unchangedSentence = 'Contacts that were there before stay as they are now.'
  return [
    ...(removable > 0 ? [removedSentence] : []),
    ...(removable === 0 && companies > 0 ? [companyWords(companies)] : []),
    ...(restorable > 0 ? [restoredWords(restorable)] : []),
    ...unchangedWords(kept, changed),
    ...(restorable + changed === 0 ? [unchangedSentence] : []),
    'If the import made new tags, these tags stay.',
  ]
}

/** Returns the label of the confirmation's button; null if nothing can be undone. */
export function undoVerb({ removable, restorable, unused_companies: companies }: UndoPlan): string | null {
  if (removable > 0)
    return restorable > 0 ? 'Delete and restore' : `Delete ${countOf(removable, 'contact', 'contacts')}`
  if (restorable > 0) return `Restore ${countOf(restorable, 'contact', 'contacts')}`
  return companies > 0 ? `Delete ${countOf(companies, 'company', 'companies')}` : null
}

function companyWords(companies: number): string {
  return companies === 1
    ? '1 company that it added and that no record uses is deleted.'
    : `${countOf(companies, 'company', 'companies')} that it added and that no record uses are deleted.`
}

function restoredWords(restorable: number): string {
  return restorable === 1
    ? '1 contact that was there before gets back the values that the import changed.'
    : `${countOf(restorable, 'contact', 'contacts')} that were there before get back the values that the import changed.`
}

/** Returns the sentence about contacts that are not deleted: '3 contacts stay: they were changed since, or a deal or task refers to them.' */
function keptWords(kept: number): string {
  return kept === 1
    ? '1 contact stays: it was changed since, or a deal or task refers to it.'
    : `${countOf(kept, 'contact', 'contacts')} stay: they were changed since, or a deal or task refers to them.`
}

function changedWords(changed: number): string {
  return changed === 1
    ? '1 contact keeps the values of the import: it was changed since.'
    : `${countOf(changed, 'contact', 'contacts')} keep the values of the import: they were changed since.`
}
