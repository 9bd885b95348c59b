import type { UndoneImport } from '#web/data/imports.ts'
import { countOf } from '#web/lib/count.ts'

/** 'Deleted: 1,951 contacts and 60 companies. 3 contacts stay: …' */
export function undoneWords({ contacts, companies, kept }: Omit<UndoneImport, 'done'>): string {
  const and = companies > 0 ? ` and ${countOf(companies, 'company', 'companies')}` : ''
  return `Deleted: ${countOf(contacts, 'contact', 'contacts')}${and}.${kept ? ` ${keptWords(kept)}` : ''}`
}

/** '3 contacts stay: they were changed since, or a deal or task names them.' */
export function keptWords(kept: number): string {
  return kept === 1
    ? '1 contact stays: it was changed since, or a deal or task names it.'
    : `${countOf(kept, 'contact', 'contacts')} stay: they were changed since, or a deal or task names them.`
}
