import type { BrandData } from '#web/data/store/brand-data.ts'
import { compareNames } from '#web/lib/names.ts'
import { type Person, peopleView } from './people.ts'
import { tabPresences } from '#web/data/sync/presence.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOf, type View, view } from '#web/data/query/view.ts'

/** A colleague who has the brand open now. */
export interface PresentPerson extends Person {
  /** The addresses of the colleague's open records: '/crm/deals/ID'. */
  open: readonly string[]
}

const nobody: readonly PresentPerson[] = []

/** The colleagues who have the active brand open now, by name. Empty while no live events arrive. */
export function usePresentPeople(): readonly PresentPerson[] {
  return useView(presentView, '', nobody)
}

function presentView(data: BrandData): View<readonly PresentPerson[]> {
  const people = peopleView(data)
  return view(
    [sourceOf({ get: people.read, subscribe: people.subscribe }), sourceOf(tabPresences(data.device))],
    () => {
      const { byId } = people.read()
      const open = new Map<string, string[]>()
      for (const { user, open: address } of tabPresences(data.device).get()) {
        if (user === data.userId) continue
        const addresses = open.get(user) ?? []
        if (address) addresses.push(address)
        open.set(user, addresses)
      }
      return [...open]
        .flatMap(([user, addresses]) => {
          const person = byId(user)
          return person?.isMember ? [{ ...person, open: addresses }] : []
        })
        .sort((a, b) => compareNames(a.name, b.name))
    },
  )
}
