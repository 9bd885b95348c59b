import { localRows } from '#web/data/query/local-rows.ts'
import type { Query } from '#web/data/query/query.ts'
import { rowsOf } from '#web/data/query/rows-of.ts'
import { useView } from '#web/data/query/use-view.ts'
import { sourceOfObservable, type View, view, sourceOfView } from '#web/data/query/view.ts'
import type { Tag } from '#web/data/server/rows.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { TableDefinition } from '#web/data/store/definition.ts'
import { idsIn } from '#web/data/store/set-edit.ts'
import { byTexts, newestFirst } from '#web/data/store/sorted-list.ts'

/** The tags of a brand. */
export interface Tags {
  /** True if the tags are on this device. */
  ready: boolean
  /** The tags, sorted by name. */
  tags: readonly Tag[]
  byId: ReadonlyMap<string, Tag>
}

const noTags: Tags = { ready: false, tags: [], byId: new Map() }
const byNameQuery: Query<'tags'> = { table: 'tags', order: 'name' }

/** Returns the tags of the active brand. A record may still have the ids of deleted tags, which are not shown. */
export function useTags(): Tags {
  return useView(tagsView, '', noTags)
}

/** Creates the view that `useTags` reads. */
export function tagsView(data: BrandData): View<Tags> {
  const rows = rowsOf(data, byNameQuery)
  return view([sourceOfView(rows), sourceOfObservable(data.loaded), sourceOfObservable(data.firstPullEnded)], () => {
    const tags = localRows(data, byNameQuery)
    const ready = data.loaded.get() && (tags.length > 0 || data.firstPullEnded.get())
    return { ready, tags, byId: new Map(tags.map((tag) => [tag.id, tag])) }
  })
}

/** Returns the existing tags among these ids, sorted by name. */
export function tagsIn({ tags }: Tags, ids: unknown): readonly Tag[] {
  const wanted = new Set(idsIn(ids))
  return wanted.size === 0 ? [] : tags.filter(({ id }) => wanted.has(id))
}

/** Returns the tag with this name, compared without regard to case. */
export function tagNamed(tags: readonly Tag[], name: string): Tag | undefined {
  const folded = name.trim().toLowerCase()
  return tags.find((tag) => tag.name.toLowerCase() === folded)
}

/** How tags are ordered on this device, in the same way as in SQL. */
export const tagDefinition: TableDefinition<Tag> = {
  orders: { newest: { compare: () => newestFirst }, name: { compare: () => byName } },
}

const byName = byTexts<Tag>((tag) => tag.name)
