/** A line of a card: under the pointer its ground is wider than its text, the hairline below it is not. */
export const cardLine =
  'relative isolate before:absolute before:inset-y-0 before:-inset-x-2 before:-z-1 before:rounded-control hover:before:bg-hover'
