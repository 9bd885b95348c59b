import { Suspense, useState } from 'react'
import { limits } from '#shared/limits.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { addTag } from '#web/data/change-tags.ts'
import { useActiveBrand } from '#web/data/people/active-brand.ts'
import type { Tag } from '#web/data/server/rows.ts'
import { useOnlineValue } from '#web/data/session/online-value.ts'
import { tagCounts } from '#web/data/tag-counts.ts'
import { tagNamed, useTags } from '#web/data/tags.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { toast } from '#web/ui/toast.ts'
import { TagRow } from './tag-row.tsx'

const MergeTagDialog = lazyComponent(async () => (await import('./merge-tag-dialog.tsx')).MergeTagDialog)

/**
 * The tags of the brand in Settings, with the number of records of each. Admins and owners can add, rename, recolour, merge and delete
 * them.
 */
export function TagsCard() {
  const { ready, tags } = useTags()
  const { brand } = useActiveBrand()
  const { value: counts } = useOnlineValue(tagCounts)
  const [tagToMerge, setTagToMerge] = useState<Tag | null>(null)
  const mayChange = brand !== null && brand.role !== 'member'
  const countOfTag = (id: string) => (counts ? (counts.find((count) => count.id === id) ?? null) : undefined)
  return (
    <Card aria-label="Tags" className="p-6 max-sm:p-4">
      <h2 className="flex items-center gap-2 text-lg">
        Tags
        {tags.length > 0 && <CountBadge count={tags.length} />}
      </h2>
      {mayChange ? <AddTag tags={tags} /> : <p className="mt-1 text-ink2">Admins and owners change tags.</p>}
      {ready && tags.length === 0 && (
        <p className="mt-3 text-ink2">
          No tags yet. A tag groups contacts, companies and deals: VIP, Partner, Trade fair.
        </p>
      )}
      {tags.length > 0 && (
        <ul aria-label="Tags" className="mt-3 border-t border-line">
          {tags.map((tag) => (
            <TagRow
              key={tag.id}
              tag={tag}
              count={countOfTag(tag.id)}
              mayChange={mayChange}
              onMerge={tags.length > 1 ? () => setTagToMerge(tag) : null}
            />
          ))}
        </ul>
      )}
      <Suspense>
        {tagToMerge && (
          <MergeTagDialog
            tag={tagToMerge}
            others={tags.filter(({ id }) => id !== tagToMerge.id)}
            count={countOfTag(tagToMerge.id)}
            onClose={() => setTagToMerge(null)}
          />
        )}
      </Suspense>
    </Card>
  )
}

function AddTag({ tags }: { tags: readonly Tag[] }) {
  const device = useDevice()
  const [name, setName] = useState('')
  const [error, setError] = useState<string | null>(null)
  const add = () => {
    const typed = name.trim()
    if (!typed) return setError('Tag name is required')
    if (/[,;]/.test(typed)) return setError('A tag has no comma and no semicolon in its name')
    if (tagNamed(tags, typed)) return setError('There is a tag with this name')
    setName('')
    void addTag(device, typed).outcome.then((outcome) => {
      if (outcome.status === 'refused') toast.error('Error adding tag', { description: outcome.message })
    })
  }
  return (
    <form
      noValidate
      className="mt-4 flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Field label="New tag" error={error} className="min-w-0 flex-1">
        <Input
          autoComplete="off"
          enterKeyHint="done"
          maxLength={limits.tags.name}
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setError(null)
          }}
        />
      </Field>
      <Button type="submit" size="form" className="mt-6.5">
        Add
      </Button>
    </form>
  )
}
