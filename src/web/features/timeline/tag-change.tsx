import type { ReactNode } from 'react'
import { TagChip } from '#web/crm/tag-chip.tsx'
import type { Tag } from '#web/data/server/rows.ts'
import { useTags } from '#web/data/tags.ts'

interface TagChangeProps {
  /** Ids of tags, separated by spaces: `from` the removed tags, `to` the added tags. */
  from: string | null
  to: string | null
  /** The record whose tags changed: 'to Zoe Marsh', 'from Zoe Marsh', 'of Zoe Marsh'. Renders nothing if the timeline is that record's. */
  of: ReactNode
}

/**
 * Shows a change of tags: 'added the tag VIP', 'added the tags VIP and Partner and removed the tag Press'. Tags have their current names.
 * Deleted tags are left out if others are shown.
 */
export function TagChange({ from, to, of }: TagChangeProps) {
  const { byId } = useTags()
  const existingTags = (ids: string | null) => (ids?.split(' ') ?? []).flatMap((id) => byId.get(id) ?? [])
  const [removedTags, addedTags] = [existingTags(from), existingTags(to)]
  return (
    <>
      {addedTags.length > 0 && <TagPhrase verb="added" tags={addedTags} />}
      {addedTags.length > 0 && removedTags.length > 0 && ' and '}
      {removedTags.length > 0 && <TagPhrase verb="removed" tags={removedTags} />}
      {addedTags.length + removedTags.length === 0 && `${to === null ? 'removed' : 'added'} a tag that is deleted now`}{' '}
      {of}
    </>
  )
}

function TagPhrase({ verb, tags }: { verb: string; tags: readonly Tag[] }) {
  return (
    <>
      {verb} the {tags.length === 1 ? 'tag' : 'tags'}{' '}
      {tags.map(({ id, name, color }, index) => (
        <span key={id}>
          {index > 0 && (index === tags.length - 1 ? ' and ' : ', ')}
          <span className="inline-flex max-w-full align-middle">
            <TagChip name={name} color={color} small />
          </span>
        </span>
      ))}
    </>
  )
}
