import type { Notification } from '#web/data/notifications.ts'

interface SentencePart {
  text: string
  /** Whether the text is a name: of a person, a record, a stage, a brand or a file. Names are highlighted. */
  isName?: boolean
}

/** Returns the event as a sentence in parts: 'Ana', ' moved ', 'Boiler', ' to ', 'Won'. */
export function notificationWords(notification: Notification, who: string): SentencePart[] {
  const { kind, title, detail, record_table: table, is_many: isMany } = notification
  const record = [{ text: title, isName: true }, ...(isMany ? [{ text: ' and more' }] : [])]
  switch (kind) {
    case 'assigned':
      return [{ text: who, isName: true }, { text: table === 'tasks' ? ' assigned you ' : ' gave you ' }, ...record]
    case 'deal_moved':
      return [
        { text: who, isName: true },
        { text: ' moved ' },
        ...record,
        ...(detail ? [{ text: ' to ' }, { text: detail, isName: true }] : []),
      ]
    case 'mentioned':
      return [{ text: who, isName: true }, { text: ' mentioned you in a note about ' }, ...record]
    case 'task_due':
      return [...record, { text: ' is due' }]
    case 'import_ended':
      return [{ text: 'The import of ' }, ...record, { text: ' ended' }]
    case 'added_to_brand':
      return [{ text: who, isName: true }, { text: ' added you to ' }, ...record]
    case 'member_joined':
      return [{ text: title, isName: true }, { text: ' accepted your invitation' }]
  }
}
