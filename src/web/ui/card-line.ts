/** Classes for a line of a card. Under the pointer its background is wider than its text; the hairline below is not. */
export const cardLine =
  'relative isolate before:absolute before:inset-y-0 before:-inset-x-2 before:-z-1 before:rounded-control hover:before:bg-hover'
