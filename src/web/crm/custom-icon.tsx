import type { ReactNode } from 'react'
import type { CustomField } from '#web/data/server/rows.ts'
import {
  CalendarIcon,
  ChecklistIcon,
  CheckIcon,
  ChevronsIcon,
  EditIcon,
  LinkIcon,
  MoneyIcon,
  NotesIcon,
} from '#web/ui/icons.tsx'

/** The icon before a custom field's label on the phone. */
export function customFieldIcon(type: CustomField['type']): ReactNode {
  switch (type) {
    case 'date':
      return <CalendarIcon />
    case 'money':
      return <MoneyIcon />
    case 'long_text':
      return <NotesIcon />
    case 'yes_no':
      return <CheckIcon />
    case 'choice':
      return <ChevronsIcon />
    case 'choices':
      return <ChecklistIcon />
    case 'link':
      return <LinkIcon />
    default:
      return <EditIcon />
  }
}
