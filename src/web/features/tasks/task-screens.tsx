import { lazyRouteComponent } from '@tanstack/react-router'
import type { NounScreens } from '#web/crm/noun-screens.ts'
import { ChecklistIcon } from '#web/ui/icons.tsx'

export const taskScreens: NounScreens = {
  label: 'Tasks',
  icon: <ChecklistIcon />,
  Page: lazyRouteComponent(() => import('./tasks-page.tsx'), 'TasksPage'),
  RecordPage: lazyRouteComponent(() => import('./task-page.tsx'), 'TaskPage'),
  related: { contacts: lazyRouteComponent(() => import('./tasks-of-contact.tsx'), 'TasksOfContact') },
}
