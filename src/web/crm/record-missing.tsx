import { EmptyState } from '#web/ui/empty-state.tsx'

/** In the panel of a record that was deleted, or that the person may not see. */
export function RecordMissing() {
  return (
    <EmptyState
      drawing="search"
      title="Not found, or no access"
      description="It may have been deleted, or belong to a brand you are not a member of."
    />
  )
}
