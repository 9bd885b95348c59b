import type { Unlinked } from './unlinked.ts'

/** The links that a delete clears, shown before it: 'Unlinks 2 deals and 1 task'; null: none. */
export function unlinkWords({ deals, contacts, tasks }: Omit<Unlinked, 'ready'>): string | null {
  const parts = [words(deals, 'deal'), words(contacts, 'contact'), words(tasks, 'task')].filter((part) => part !== null)
  const last = parts.pop()
  if (!last) return null
  return `Unlinks ${parts.length > 0 ? `${parts.join(', ')} and ${last}` : last}`
}

function words(count: number, noun: string): string | null {
  return count === 0 ? null : `${count} ${noun}${count === 1 ? '' : 's'}`
}
