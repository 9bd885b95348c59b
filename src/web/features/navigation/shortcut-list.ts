/** The list of shortcuts that '?' shows. */
export const shortcutList: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['n'], does: 'New record of this page' },
  { keys: ['/'], does: 'Search this page' },
  { keys: ['Enter'], does: 'Open the record that has the focus' },
  { keys: ['e'], does: 'Edit the open record' },
  { keys: ['w'], does: 'Write a note about the open record' },
  { keys: ['Esc'], does: 'Close the panel, the dialog or the selection' },
  { keys: ['Space'], does: 'Lift a deal, then the arrows carry it, Space drops it' },
  { keys: ['Shift', '←'], does: 'Move a deal one stage to the left' },
  { keys: ['Shift', '→'], does: 'Move a deal one stage to the right' },
  { keys: ['x'], does: 'Select the record that has the focus' },
  { keys: ['Ctrl/⌘', 'a'], does: 'Select all contacts or companies of the list' },
  { keys: ['Ctrl/⌘', 'z'], does: 'Undo what you did last' },
  { keys: ['Ctrl/⌘', 'Shift', 'z'], does: 'Do it again' },
  { keys: ['?'], does: 'Show this list' },
]
