import type { BrandData } from '#web/data/store/brand-data.ts'
import { compareNames } from '#web/lib/names.ts'
import { type Person, peopleView } from './people.ts'
import { reachable } from '#web/data/server/network.ts'
import { tabPresences } from '#web/data/sync/presence.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOfObservable, type View, view } from '#web/data/query/view.ts'

/** A colleague who has the brand open now. */
export interface PresentPerson extends Person {
  /** The URL paths of the colleague's open records: '/crm/deals/ID'. */
  open: readonly string[]
}

const nobody: readonly PresentPerson[] = []

/**
 * Returns the colleagues who have the active brand open now, by name. Empty while the server is unreachable, or this tab is not
 * connected to the brand's presence channel.
 */
export function usePresentPeople(): readonly PresentPerson[] {
  return useView(presentView, '', nobody)
}

function presentView(data: BrandData): View<readonly PresentPerson[]> {
  const people = peopleView(data)
  return view(
    [
      sourceOfObservable({ get: people.read, subscribe: people.subscribe }),
      sourceOfObservable(tabPresences(data.device)),
      sourceOfObservable(reachable(data.device)),
    ],
    () => {
      // While the server is unreachable, this device does not learn who leaves.
      if (!reachable(data.device).get()) return nobody
      const { byId } = people.read()
      const pathsByUser = new Map<string, string[]>()
      for (const { user, open: path } of tabPresences(data.device).get()) {
        if (user === data.userId) continue
        const paths = pathsByUser.get(user) ?? []
        if (path) paths.push(path)
        pathsByUser.set(user, paths)
      }
      return [...pathsByUser]
        .flatMap(([user, paths]) => {
          const person = byId(user)
          return person?.isMember ? [{ ...person, open: paths }] : []
        })
        .sort((a, b) => compareNames(a.name, b.name))
    },
  )
}
