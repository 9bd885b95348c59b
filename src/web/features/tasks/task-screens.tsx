import type { NounScreens } from '#web/crm/noun-screens.ts'
import { ChecklistIcon } from '#web/ui/icons.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'

export const taskScreens: NounScreens = {
  label: 'Tasks',
  icon: <ChecklistIcon />,
  Page: async () => (await import('./tasks-page.tsx')).TasksPage,
  RecordPage: async () => (await import('./task-page.tsx')).TaskPage,
  related: { contacts: lazyComponent(async () => (await import('./tasks-of-contact.tsx')).TasksOfContact) },
}
