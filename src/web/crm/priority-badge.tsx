import { Badge, OutlineBadge } from '#web/ui/badge.tsx'

/** A badge with the priority of a task: Low (outlined), Normal, High (amber), Urgent (red). */
export function PriorityBadge({ priority }: { priority: 'low' | 'normal' | 'high' | 'urgent' }) {
  if (priority === 'urgent') return <Badge tone="tone-lost">Urgent</Badge>
  if (priority === 'high') return <Badge tone="tone-verbal">High</Badge>
  if (priority === 'normal') return <Badge>Normal</Badge>
  return <OutlineBadge>Low</OutlineBadge>
}
