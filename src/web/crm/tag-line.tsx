import { tagsIn, useTags } from '#web/data/tags.ts'
import { cx } from '#web/lib/class-names.ts'
import { TagChip, TagDot } from './tag-chip.tsx'

interface TagLineProps {
  /** The ids of the record's tags (`tag_ids`). */
  ids: readonly string[] | undefined
  /** Maximum number of tags that are shown. The others are counted, and a tooltip names them. */
  maxTags: number
  /** True if the tags are dots and names without a fill. */
  plain?: boolean
  className?: string
}

/**
 * The tags of a record in a list or on a card, sorted by name. Renders nothing if the record has no tags. In a container that is at most 48 px wide,
 * each shown tag is only a dot, unless `plain`.
 */
export function TagLine({ ids = [], maxTags, plain = false, className }: TagLineProps) {
  return ids.length === 0 ? null : <Tags {...{ ids, maxTags, plain, className }} />
}

function Tags({ ids, maxTags, plain, className }: TagLineProps & { ids: readonly string[] }) {
  const tags = tagsIn(useTags(), ids)
  if (tags.length === 0) return null
  const hiddenTags = tags.slice(maxTags)
  return (
    <ul aria-label="Tags" className={cx('flex min-w-0 items-center', plain ? 'gap-2.5' : 'gap-1', className)}>
      {tags.slice(0, maxTags).map(({ id, name, color }) => (
        <li key={id} className="flex min-w-0 items-center gap-1.5">
          {plain ? (
            <>
              <TagDot color={color} />
              <span className="truncate text-xs text-ink2" title={name}>
                {name}
              </span>
            </>
          ) : (
            <>
              <span className="hidden @max-[3rem]:flex" title={name}>
                <TagDot color={color} />
              </span>
              <span className="flex min-w-0 @max-[3rem]:sr-only">
                <TagChip name={name} color={color} small />
              </span>
            </>
          )}
        </li>
      ))}
      {hiddenTags.length > 0 && (
        <li
          className="num shrink-0 text-xs text-ink3 @max-[3rem]:sr-only"
          title={hiddenTags.map(({ name }) => name).join(', ')}
        >
          +{hiddenTags.length}
        </li>
      )}
    </ul>
  )
}
